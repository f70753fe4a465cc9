package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds the admission model to what the real kubelet packages answered ({@code make oracle-record}
 * writes the cases).
 */
class OracleReplayTest {
  private static final Path RECORDED = Path.of("src/test/resources/oracle");

  @TestFactory
  Stream<DynamicTest> namedCases() throws IOException {
    return Files.readAllLines(RECORDED.resolve("named.jsonl")).stream()
        .map(OracleCase::parse)
        .map(
            recorded ->
                DynamicTest.dynamicTest(
                    recorded.id(),
                    () -> assertThat(recorded.difference(recorded.expected())).isEmpty()));
  }

  @TestFactory
  DynamicTest generatedCases() throws IOException {
    List<String> lines = Files.readAllLines(RECORDED.resolve("generated.jsonl"));
    return DynamicTest.dynamicTest(
        lines.size() + " nodes",
        () ->
            assertThat(
                    lines.stream()
                        .map(OracleCase::parse)
                        .filter(recorded -> recorded.difference(recorded.expected()).isPresent())
                        .map(OracleCase::id))
                .as("nodes on which the model differs from the kubelet")
                .isEmpty());
  }
}

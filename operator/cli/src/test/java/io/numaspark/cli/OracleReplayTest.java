package io.numaspark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.planner.admission.KubeletRelease;
import io.numaspark.planner.topology.KubeletVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Holds the admission model to what the real kubelet packages of each modelled version answered
 * ({@code make oracle-record} writes the cases).
 */
class OracleReplayTest {
  private static final Path RECORDED = Path.of("src/test/resources/oracle");

  /**
   * The version whose answers are with the cases; of the others only those that differ are kept.
   */
  private static final String OF_CASES = "1.36";

  @TestFactory
  Stream<DynamicTest> namedCases() throws IOException {
    return cases("named.jsonl").stream()
        .map(
            recorded ->
                DynamicTest.dynamicTest(
                    recorded.id(),
                    () ->
                        assertThat(recorded.difference(OF_CASES, recorded.expected())).isEmpty()));
  }

  @TestFactory
  Stream<DynamicTest> everyVersion() {
    return versions()
        .map(version -> DynamicTest.dynamicTest(version, () -> modelAnswersAs(version)));
  }

  private static Stream<String> versions() {
    KubeletVersion oldest = KubeletRelease.oldest();
    return IntStream.rangeClosed(oldest.minor(), KubeletRelease.newest().minor())
        .mapToObj(minor -> new KubeletVersion(oldest.major(), minor).toString());
  }

  private static void modelAnswersAs(String version) throws IOException {
    List<OracleCase> cases = new ArrayList<>(cases("named.jsonl"));
    cases.addAll(cases("generated.jsonl"));
    Map<String, JsonNode> answers = new LinkedHashMap<>();
    cases.forEach(recorded -> answers.put(recorded.id(), recorded.expected()));
    if (!version.equals(OF_CASES)) {
      cases(version + ".jsonl").forEach(other -> answers.put(other.id(), other.json()));
    }
    assertThat(answers).as("answers belong to recorded cases").hasSameSizeAs(cases);
    assertThat(
            cases.stream()
                .filter(
                    recorded ->
                        recorded.difference(version, answers.get(recorded.id())).isPresent())
                .map(OracleCase::id))
        .as("cases that the model answers differently from the kubelet of " + version)
        .isEmpty();
  }

  private static List<OracleCase> cases(String file) throws IOException {
    return Files.readAllLines(RECORDED.resolve(file)).stream().map(OracleCase::parse).toList();
  }
}

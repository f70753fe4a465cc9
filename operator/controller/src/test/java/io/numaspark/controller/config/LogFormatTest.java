package io.numaspark.controller.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each test starts a process: a log's configuration is read once, from the environment. */
class LogFormatTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static List<String> log(Map<String, String> environment)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LogProbe.class.getName())
            .redirectErrorStream(true);
    builder.environment().keySet().removeIf(key -> key.startsWith("NUMASPARK_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    return out.lines().toList();
  }

  private static JsonNode line(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }

  @Test
  void isTextFromInfoUpwardsUnlessSaidOtherwise() throws Exception {
    List<String> lines = log(Map.of());
    assertThat(lines.get(0)).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z INFO  Probe   started");
    assertThat(lines.get(1)).endsWith("INFO  Probe   a library's");
    assertThat(lines.get(2)).endsWith("WARN  Probe team-a pi said \"no\"");
    assertThat(lines.get(3)).startsWith("java.lang.IllegalStateException: because\\n\tat ");
  }

  @Test
  void levelsOfOursAndOfLibrariesAreSetApart() throws Exception {
    List<String> lines =
        log(Map.of("NUMASPARK_LOG_LEVEL", "debug", "NUMASPARK_LOG_LIBRARIES_LEVEL", "warn"));
    assertThat(lines.get(0)).contains(" DEBUG ").endsWith(" small");
    assertThat(lines).noneMatch(line -> line.contains("library"));
  }

  @Test
  void jsonIsAnObjectALine() throws Exception {
    List<JsonNode> lines =
        log(Map.of("NUMASPARK_LOG_FORMAT", "json")).stream().map(LogFormatTest::line).toList();
    assertThat(lines).hasSize(3);
    assertThat(names(lines.get(0))).containsExactly("time", "level", "logger", "message");
    assertThat(lines.get(0).path("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z");
    assertThat(lines.get(0).path("logger").asText()).isEqualTo("io.numaspark.controller.Probe");
    JsonNode warning = lines.get(2);
    assertThat(names(warning))
        .containsExactly("time", "level", "logger", "namespace", "name", "message", "error");
    assertThat(warning.path("level").asText()).isEqualTo("WARN");
    assertThat(warning.path("namespace").asText()).isEqualTo("team-a");
    assertThat(warning.path("name").asText()).isEqualTo("pi");
    assertThat(warning.path("message").asText()).isEqualTo("said \"no\"");
    assertThat(warning.path("error").asText())
        .startsWith("java.lang.IllegalStateException: because")
        .contains("LogProbe.main");
  }

  private static Stream<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey);
  }
}

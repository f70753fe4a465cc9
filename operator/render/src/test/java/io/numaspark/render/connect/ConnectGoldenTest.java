package io.numaspark.render.connect;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.planner.fixture.GoldenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds what becomes of a SparkConnect to files, byte for byte. */
class ConnectGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/connect");
  private static final ObjectMapper YAML =
      new ObjectMapper(
              new YAMLFactory()
                  .enable(Feature.MINIMIZE_QUOTES)
                  .enable(Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                  .disable(Feature.WRITE_DOC_START_MARKER))
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  @ParameterizedTest
  @ValueSource(strings = {"small", "everything"})
  void becomesAnApplicationAndAService(String name) throws IOException {
    SparkConnect connect =
        Serialization.unmarshal(
            Files.readString(FOLDER.resolve(name + ".yaml")), SparkConnect.class);
    GoldenFile.hold(
        FOLDER.resolve(name + "-application-spec.yaml"),
        YAML.writeValueAsString(ConnectApplication.spec(connect)));
    GoldenFile.hold(
        FOLDER.resolve(name + "-service.yaml"),
        YAML.writeValueAsString(ConnectService.of(connect)));
  }
}

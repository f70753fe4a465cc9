package io.numaspark.render.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.numaspark.api.v1alpha1.KubeletSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class KubeletConfigurationTest {
  /** What a kubelet 1.36 answers, less the fields that are of no concern here. */
  /** The agent, which reads /configz in Go, is held to the same cases. */
  private static final Path CASES = Path.of("src/test/resources/kubelet-configurations.json");

  /** One case: what the configuration is as a spec, or how its refusal starts. */
  private record Case(String name, Map<String, Object> config, KubeletSpec spec, String refused) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() throws IOException {
    return new ObjectMapper().readValue(CASES.toFile(), new TypeReference<>() {});
  }

  @ParameterizedTest
  @MethodSource("cases")
  void readsOrRefuses(Case one) {
    if (one.refused() == null) {
      assertThat(KubeletConfiguration.spec(one.config())).isEqualTo(one.spec());
    } else {
      assertThatThrownBy(() -> KubeletConfiguration.spec(one.config()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(one.refused());
    }
  }

  /** What only files can have: the kubelet itself would not answer so. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "systemReserved": {"cpu": "1e-999999999"}  | systemReserved.cpu: '1e-999999999' is not a quantity
          "kubeReserved": {"cpu": {}}                | kubeReserved.cpu: '' is not a quantity
          """)
  void whatNoKubeletTakesIsNamed(String field, String message) {
    assertThatThrownBy(() -> of(field))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  /** Whatever stands in a field, it is read or refused with the field named. */
  @Test
  void randomValuesAreReadOrRefused() throws JsonProcessingException {
    List<String> fields =
        List.of(
            "cpuManagerPolicy",
            "cpuManagerPolicyOptions",
            "topologyManagerScope",
            "reservedSystemCPUs",
            "kubeReserved",
            "systemReserved",
            "reservedMemory",
            "featureGates");
    List<String> values =
        List.of(
            "null",
            "true",
            "-7",
            "1e400",
            "\"\"",
            "\"static\"",
            "\"0-3\"",
            "[]",
            "[null, 3, \"x\"]",
            "{}",
            "{\"cpu\": null}",
            "{\"cpu\": [1]}",
            "{\"CPUManager\": {}}",
            "[{\"numaNode\": null, \"limits\": {\"memory\": \"1Gi\"}}]",
            "[{\"numaNode\": 1e9, \"limits\": []}]",
            "[{\"limits\": {\"memory\": {}, \"hugepages-\": 1}}]");
    Random random = new Random(3);
    int refused = 0;
    for (int round = 0; round < 2000; round++) {
      String config = "";
      for (String field : fields) {
        if (random.nextInt(4) == 0) {
          config += ", \"%s\": %s".formatted(field, values.get(random.nextInt(values.size())));
        }
      }
      Map<String, Object> json = json("{\"kind\": \"KubeletConfiguration\"" + config + "}");
      try {
        assertThat(KubeletConfiguration.spec(json)).isNotNull();
      } catch (IllegalArgumentException e) {
        refused++;
        assertThat(fields).anyMatch(field -> e.getMessage().contains(field));
      }
    }
    assertThat(refused).isBetween(200, 1900);
  }

  private static KubeletSpec of(String fields) throws JsonProcessingException {
    return KubeletConfiguration.spec(json("{\"kind\": \"KubeletConfiguration\", " + fields + "}"));
  }

  private static Map<String, Object> json(String text) throws JsonProcessingException {
    return new ObjectMapper().readValue(text, new TypeReference<>() {});
  }
}

package io.numaspark.render.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.numaspark.api.v1alpha1.KubeletSpec;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KubeletConfigurationTest {
  /** What a kubelet 1.36 answers, less the fields that are of no concern here. */
  private static final String CONFIGZ =
      """
      {
        "kind": "KubeletConfiguration", "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "enableServer": true, "syncFrequency": "1m0s",
        "cpuManagerPolicy": "static",
        "cpuManagerPolicyOptions": {"full-pcpus-only": "true"},
        "cpuManagerReconcilePeriod": "10s",
        "memoryManagerPolicy": "Static",
        "topologyManagerPolicy": "single-numa-node", "topologyManagerScope": "pod",
        "featureGates": {"CPUManagerPolicyAlphaOptions": true, "GracefulNodeShutdown": false},
        "systemReserved": {"cpu": "2", "memory": "1948Mi"},
        "evictionHard": {"memory.available": "100Mi"},
        "reservedSystemCPUs": "0,24",
        "reservedMemory": [
          {"numaNode": 0, "limits": {"memory": "1Gi", "hugepages-2Mi": "4Mi"}},
          {"numaNode": 1, "limits": {"memory": "1Gi"}}]}
      """;

  @Test
  void readsWhatTheKubeletRunsWith() throws JsonProcessingException {
    assertThat(KubeletConfiguration.spec(json(CONFIGZ)))
        .isEqualTo(
            new KubeletSpec(
                "static",
                Map.of("full-pcpus-only", "true"),
                "single-numa-node",
                "pod",
                null,
                "Static",
                "0,24",
                null,
                Map.of("0", 1L << 30, "1", 1L << 30),
                Map.of("0", Map.of("2Mi", 4L << 20)),
                Map.of("CPUManagerPolicyAlphaOptions", true)));
  }

  @Test
  void whatIsAbsentIsTheKubeletsDefault() throws JsonProcessingException {
    assertThat(KubeletConfiguration.spec(json("{\"kind\": \"KubeletConfiguration\"}")))
        .isEqualTo(
            new KubeletSpec(
                "none", null, "none", "container", null, "None", null, null, null, null, null));
  }

  @Test
  void aReservationWithoutNumaNodeIsOfTheFirst() throws JsonProcessingException {
    assertThat(of("\"reservedMemory\": [{\"limits\": {\"memory\": 5}}]").reservedMemory())
        .isEqualTo(Map.of("0", 5L));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"kind\": null}", "{\"kind\": \"Pod\"}", "{\"kind\": {}}"})
  void anotherKindIsRefused(String other) {
    assertThatThrownBy(() -> KubeletConfiguration.spec(json(other)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("is not a KubeletConfiguration;");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "cpuManagerPolicy": "dynamic"              | cpuManagerPolicy: 'dynamic' is not known; the kubelet of a Linux node takes none, static
          "topologyManagerPolicy": 3                 | topologyManagerPolicy: '3' is not known
          "memoryManagerPolicy": "BestEffort"        | memoryManagerPolicy: 'BestEffort' is not known
          "cpuManagerPolicyOptions": []              | cpuManagerPolicyOptions: is not a map; correct the file
          "featureGates": "all"                      | featureGates: is not a map
          "systemReserved": [1]                      | systemReserved: is not a map
          "systemReserved": {"cpu": "1e9"}           | kubeReserved.cpu + systemReserved.cpu: 1000000000 CPUs are more
          "systemReserved": {"cpu": "-1"}            | systemReserved.cpu: '-1' is not an amount
          "systemReserved": {"cpu": "1e-999999999"}  | systemReserved.cpu: '1e-999999999' is not a quantity
          "systemReserved": {"cpu": "1e999999999"}   | systemReserved.cpu: '1e999999999' is no
          "kubeReserved": {"cpu": {}}                | kubeReserved.cpu: '' is not a quantity
          "reservedSystemCPUs": "first"              | reservedSystemCPUs: 'first' in 'first' is not a CPU id
          "reservedMemory": {}                       | reservedMemory: is not a list
          "reservedMemory": [{"numaNode": "x", "limits": {"memory": 1}}] | reservedMemory: numaNode 'x' is not a NUMA node id
          "reservedMemory": [{"numaNode": -1, "limits": {"memory": 1}}]  | reservedMemory: numaNode '-1' is not a NUMA node id
          "reservedMemory": [{"limits": {"memory": "10E"}}]              | reservedMemory: '10E' is not an amount
          "reservedMemory": [{"limits": {"memory": "7E"}}, {"limits": {"memory": "7E"}}] | reservedMemory: the reservations of 0 are more
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

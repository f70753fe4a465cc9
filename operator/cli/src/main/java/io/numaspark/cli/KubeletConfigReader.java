package io.numaspark.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.Quantity;
import io.numaspark.api.v1alpha1.KubeletSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the part of a KubeletConfiguration file that decides how CPUs and memory are handed out.
 *
 * <p>Limit: one file; drop-ins of --config-dir and command line flags of the kubelet are not seen.
 */
final class KubeletConfigReader {
  /** Where kubeadm and the usual distributions put the file. */
  static final List<String> USUAL_PLACES =
      List.of(
          "var/lib/kubelet/config.yaml",
          "etc/kubernetes/kubelet.yaml",
          "etc/kubernetes/kubelet-config.yaml");

  private static final String HUGEPAGES = "hugepages-";

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private KubeletConfigReader() {}

  /** The first of the usual files below a root folder. */
  static Optional<Path> find(Path root) {
    return USUAL_PLACES.stream().map(root::resolve).filter(Files::isReadable).findFirst();
  }

  /**
   * The kubelet's resource managers.
   *
   * @throws InputException if the file is no KubeletConfiguration
   */
  static KubeletSpec read(Path file) {
    try {
      JsonNode config = YAML.readTree(file.toFile());
      if (config == null || !"KubeletConfiguration".equals(config.path("kind").asText())) {
        throw new InputException(
            file + ": is no KubeletConfiguration; give the file that the kubelet is started with");
      }
      String reservedCpus = text(config, "reservedSystemCPUs", null);
      return new KubeletSpec(
          text(config, "cpuManagerPolicy", "none"),
          options(config.path("cpuManagerPolicyOptions")),
          text(config, "topologyManagerPolicy", "none"),
          text(config, "topologyManagerScope", "container"),
          options(config.path("topologyManagerPolicyOptions")),
          text(config, "memoryManagerPolicy", "None"),
          reservedCpus,
          reservedCpus == null ? reservedCount(config) : null,
          reservedMemory(config.path("reservedMemory")),
          reservedHugepages(config.path("reservedMemory")),
          featureGates(config.path("featureGates")));
    } catch (FileNotFoundException e) {
      throw new InputException(file + ": there is no such file; check --kubelet-config", e);
    } catch (IOException e) {
      throw new InputException(file + ": cannot be read: " + e.getMessage(), e);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new InputException(file + ": " + e.getMessage(), e);
    }
  }

  private static String text(JsonNode config, String field, String absent) {
    String text = config.path(field).asText("");
    return text.isEmpty() ? absent : text;
  }

  private static Map<String, String> options(JsonNode options) {
    Map<String, String> byName = new TreeMap<>();
    options.properties().forEach(option -> byName.put(option.getKey(), option.getValue().asText()));
    return byName.isEmpty() ? null : byName;
  }

  /**
   * ceil(kubeReserved.cpu + systemReserved.cpu), as container_manager_linux.go: numReservedCPUs.
   */
  private static Integer reservedCount(JsonNode config) {
    BigDecimal cpus = cpu(config, "kubeReserved").add(cpu(config, "systemReserved"));
    int count = cpus.setScale(0, RoundingMode.CEILING).intValueExact();
    return count == 0 ? null : count;
  }

  private static BigDecimal cpu(JsonNode config, String field) {
    return amount(field + ".cpu", config.path(field).path("cpu").asText("0"));
  }

  private static BigDecimal amount(String field, String quantity) {
    BigDecimal amount;
    try {
      amount = Quantity.getAmountInBytes(Quantity.parse(quantity));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is no quantity; correct the file", e);
    }
    if (amount.signum() < 0 || amount.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
      throw new IllegalArgumentException(
          field + ": '" + quantity + "' is no amount that a machine could have; correct the file");
    }
    return amount;
  }

  private static Map<String, Map<String, Long>> reservedHugepages(JsonNode reservations) {
    Map<String, Map<String, Long>> bytes = new TreeMap<>();
    for (JsonNode reservation : reservations) {
      for (Map.Entry<String, JsonNode> limit : reservation.path("limits").properties()) {
        if (limit.getKey().startsWith(HUGEPAGES)) {
          bytes
              .computeIfAbsent(reservation.path("numaNode").asText(), id -> new TreeMap<>())
              .merge(
                  limit.getKey().substring(HUGEPAGES.length()),
                  amount("reservedMemory", limit.getValue().asText()).longValue(),
                  Long::sum);
        }
      }
    }
    return bytes.isEmpty() ? null : bytes;
  }

  /** The gates that decide about the resource managers; all others are of no concern here. */
  private static Map<String, Boolean> featureGates(JsonNode gates) {
    Map<String, Boolean> byName = new TreeMap<>();
    gates.properties().stream()
        .filter(
            gate -> gate.getKey().matches("(CPUManager|MemoryManager|TopologyManager|PodLevel).*"))
        .forEach(gate -> byName.put(gate.getKey(), gate.getValue().asBoolean()));
    return byName.isEmpty() ? null : byName;
  }

  private static Map<String, Long> reservedMemory(JsonNode reservations) {
    Map<String, Long> bytes = new TreeMap<>();
    for (JsonNode reservation : reservations) {
      JsonNode memory = reservation.path("limits").path("memory");
      if (!memory.isMissingNode()) {
        bytes.merge(
            reservation.path("numaNode").asText(),
            amount("reservedMemory", memory.asText()).longValue(),
            Long::sum);
      }
    }
    return bytes.isEmpty() ? null : bytes;
  }
}

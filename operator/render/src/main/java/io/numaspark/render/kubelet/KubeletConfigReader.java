package io.numaspark.render.kubelet;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.api.v1alpha1.KubeletSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads a KubeletConfiguration from its file and the drop-ins of the kubelet's --config-dir.
 *
 * <p>Limit: the kubelet's command line flags are not seen. It needs a YAML parser at run time,
 * which the agent does without: that one asks the kubelet itself.
 */
public final class KubeletConfigReader {
  /** Where kubeadm and the usual distributions put the file, below the root. */
  public static final List<String> USUAL_PLACES =
      List.of(
          "var/lib/kubelet/config.yaml",
          "etc/kubernetes/kubelet.yaml",
          "etc/kubernetes/kubelet-config.yaml");

  /** Where the documentation of Kubernetes puts the drop-ins, below the root. */
  public static final String USUAL_DROP_INS = "etc/kubernetes/kubelet.conf.d";

  private static final String DROP_IN = ".conf";

  private static final String API_VERSION = "kubelet.config.k8s.io/v1beta1";

  /** As Go's filepath.WalkDir goes: folder by folder, so a/z.conf comes before a.conf. */
  private static final Comparator<Path> IN_ORDER =
      Comparator.comparing(path -> path.toString().replace('/', '\0'));

  private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {};

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private KubeletConfigReader() {}

  /** The first of the usual files below a root folder. */
  public static Optional<Path> find(Path root) {
    return USUAL_PLACES.stream().map(root::resolve).filter(Files::isReadable).findFirst();
  }

  /** The usual folder of drop-ins below a root folder, if it is there. */
  public static Optional<Path> findDropIns(Path root) {
    return Optional.of(root.resolve(USUAL_DROP_INS)).filter(Files::isDirectory);
  }

  /**
   * The kubelet's resource managers.
   *
   * @param dropIns folder whose {@code *.conf} files, also those of its subfolders, are merged into
   *     the file in lexical order of their paths (cmd/kubelet/app/server.go:
   *     mergeKubeletConfigurations)
   * @throws IllegalArgumentException naming the file and the field that is wrong
   * @throws IOException naming the file that cannot be read
   */
  public static KubeletSpec read(Path file, Optional<Path> dropIns) throws IOException {
    JsonNode config = configuration(file);
    Path last = file;
    if (dropIns.isPresent()) {
      for (Path dropIn : files(dropIns.get())) {
        config = merged(config, dropIn(dropIn));
        last = dropIn;
      }
    }
    try {
      return KubeletConfiguration.spec(YAML.convertValue(config, FIELDS));
    } catch (IllegalArgumentException e) {
      String where = last.equals(file) ? "" : " with the drop-ins of " + dropIns.get();
      throw new IllegalArgumentException(file + where + ": " + e.getMessage(), e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> below = Files.walk(folder)) {
      return below
          .filter(Files::isRegularFile)
          .filter(path -> path.getFileName().toString().endsWith(DROP_IN))
          .sorted(IN_ORDER)
          .toList();
    } catch (IOException | UncheckedIOException e) {
      throw new IOException(folder + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static JsonNode configuration(Path file) throws IOException {
    JsonNode config;
    try {
      config = YAML.readTree(file.toFile());
    } catch (FileNotFoundException e) {
      throw new IOException(file + ": there is no such file; check --kubelet-config", e);
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (!KubeletConfiguration.KIND.equals(config.path("kind").asText())) {
      throw new IllegalArgumentException(
          file + ": is not a KubeletConfiguration; give the file that the kubelet is started with");
    }
    return config;
  }

  /** The kubelet does not start with a drop-in of another version, nor without one. */
  private static JsonNode dropIn(Path file) throws IOException {
    JsonNode config = configuration(file);
    String version = config.path("apiVersion").asText();
    if (!version.equals(API_VERSION)) {
      throw new IllegalArgumentException(
          file + ": apiVersion is '" + version + "'; a drop-in needs " + API_VERSION);
    }
    return config;
  }

  /** JSON merge patch (RFC 7396): maps are merged, null removes, all else is replaced. */
  private static JsonNode merged(JsonNode base, JsonNode patch) {
    if (!patch.isObject()) {
      return patch;
    }
    ObjectNode result = base.isObject() ? base.deepCopy() : YAML.createObjectNode();
    for (Map.Entry<String, JsonNode> field : patch.properties()) {
      if (field.getValue().isNull()) {
        result.remove(field.getKey());
      } else {
        result.set(field.getKey(), merged(result.path(field.getKey()), field.getValue()));
      }
    }
    return result;
  }
}

package io.numaspark.cli.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.cli.yaml.YamlFile;
import io.numaspark.render.inject.SubmitTemplate.Own;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The executors' pod template beside properties of spark-submit: the user's, and the copy with what
 * an injection adds.
 *
 * <p>The copy begins with a comment, by which a later injection knows that it may replace it.
 */
public final class TemplateFile {
  private static final String MARK = "# Written by numaspark inject. Do not edit it: ";
  private static final String REMEDY = "inject the properties again. sha256 of what follows: ";

  private static final String BY_PATH =
      " by its path: the injection writes another copy, with the slot and the profile's tolerations";

  /** An object in Kubernetes has 1.5 MiB at most, with all that others write into it. */
  private static final int MOST_BYTES = 1 << 20;

  private final Own own;
  private final Optional<YamlFile> file;

  private TemplateFile(Own own, Optional<YamlFile> file) {
    this.own = own;
    this.file = file;
  }

  /** What spark-submit would read, or why it cannot be read here. */
  static TemplateFile read(String location) {
    if (location.isEmpty()) {
      return new TemplateFile(new Own.None(), Optional.empty());
    }
    try {
      Path path = path(location);
      byte[] bytes = start(path);
      if (bytes.length > MOST_BYTES) {
        return unreadable(
            location + " is larger than 1 MiB, which no pod may be; name the pod template");
      }
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (isWritten(text)) {
        return unreadable(
            location
                + " is what numaspark inject wrote, but spark.numaspark.injected is gone; name your own"
                + " template, or remove the property");
      }
      YamlFile file = YamlFile.parse(text);
      List<JsonNode> pods = IntStream.range(0, file.documents()).mapToObj(file::tree).toList();
      if (pods.size() != 1
          || !(pods.get(0) instanceof ObjectNode pod)
          || !pod.path("kind").asText().equals("Pod")) {
        return unreadable(location + " is not one document of kind Pod; Spark reads no other");
      }
      return new TemplateFile(new Own.Read(pod), Optional.of(file));
    } catch (NoSuchFileException e) {
      return unreadable(
          e.getMessage() + " is not on this machine; copy it here and name the copy" + BY_PATH);
    } catch (CharacterCodingException e) {
      return unreadable(location + " is not in UTF-8; convert it");
    } catch (IOException e) {
      return unreadable(location + " cannot be read: " + e.getMessage() + "; repair that");
    } catch (IllegalArgumentException e) {
      return unreadable(location + ": " + e.getMessage());
    }
  }

  /** So much that it is seen if there is more: the location may be a device. */
  private static byte[] start(Path path) throws IOException {
    try (InputStream file = Files.newInputStream(path)) {
      return file.readNBytes(MOST_BYTES + 1);
    }
  }

  private static TemplateFile unreadable(String why) {
    return new TemplateFile(new Own.Unreadable(why), Optional.empty());
  }

  /** As Spark does (DependencyUtils.downloadFile, KubernetesUtils.loadPodFromTemplate). */
  private static Path path(String location) {
    try {
      URI uri = new URI(location);
      String scheme = uri.getScheme() == null ? "file" : uri.getScheme();
      if (List.of("file", "local").contains(scheme) && uri.getPath() != null) {
        return Path.of(uri.getPath()).toAbsolutePath();
      }
      throw new IllegalArgumentException(
          "it is read by Spark, and not from here; download it and name the copy" + BY_PATH);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("it is not a URI, which Spark needs: " + e.getReason(), e);
    }
  }

  /** How a property names a file, wherever spark-submit is started: as a path, else as a URI. */
  public static String location(Path file) {
    Path path = file.toAbsolutePath().normalize();
    return path.toString().matches("[A-Za-z0-9/._+@=,~-]+")
        ? path.toString()
        : path.toUri().toString();
  }

  Own own() {
    return own;
  }

  /** The file's text with a pod's values; the user's own comments and order stay. */
  String text(ObjectNode pod) {
    String marked = file.map(yaml -> yaml.with(Map.of(0, pod))).orElseGet(() -> YamlFile.text(pod));
    String text =
        marked.startsWith(YamlFile.BYTE_ORDER_MARK)
            ? marked.substring(YamlFile.BYTE_ORDER_MARK.length())
            : marked;
    return MARK + REMEDY + digest(text) + "\n" + text;
  }

  /** Whether an injection wrote a text, edited since or not. */
  public static boolean isWritten(String text) {
    return text.startsWith(MARK);
  }

  /**
   * Why an injection must not replace a file; empty if it may, or if there is no file.
   *
   * @throws IOException if it cannot be read
   */
  public static Optional<String> whyNotReplaced(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    String text = Files.readString(file);
    if (!isWritten(text)) {
      return Optional.of(
          file
              + ": was not written by numaspark inject, so it stays; name another file with --template, or"
              + " remove it");
    }
    String rest = text.substring(text.indexOf('\n') + 1);
    return text.startsWith(MARK + REMEDY + digest(rest) + "\n")
        ? Optional.empty()
        : Optional.of(
            file
                + ": was edited after the injection; write the edit into a template of your own, name that"
                + " in the properties that you inject, and remove this file");
  }

  private static String digest(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}

package io.numaspark.planner.sysfs;

import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/**
 * A machine's /sys and /proc as one text, as operator/planner/capture-node.sh writes it: lines
 * {@code path = text} with {@code \n}, {@code \t} and {@code \\} in the text, {@code path =base64
 * bytes}, and {@code cpu{0-3,8}} for equal files of several CPUs.
 */
public record CapturedTree(String name, List<String> lines) {
  private static final String BASE64 = "base64 ";

  /** The trees in src/test/resources/trees; docs/topology.md says of each what it is. */
  public static final List<String> NAMES =
      List.of(
          "cxl-memory",
          "ec2-c5a",
          "epyc-nps1",
          "epyc-nps4",
          "graviton2",
          "guest-without-cache",
          "ivybridge-offline-sibling",
          "ivybridge-smt-off",
          "ivybridge-smt2",
          "kernel-without-numa",
          "power8-smt-off",
          "power8-smt8",
          "power9-gpu",
          "xeon-snc4");

  /** The tree of that name. */
  public static CapturedTree named(String name) {
    try (InputStream in = CapturedTree.class.getResourceAsStream("/trees/" + name + ".tree")) {
      return of(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static CapturedTree of(String name, String text) {
    return new CapturedTree(name, text.lines().toList());
  }

  /** What the head of the file says: machine, kind, source or assumed. */
  public String head(String key) {
    String prefix = "# " + key + ": ";
    return lines.stream()
        .filter(line -> line.startsWith(prefix))
        .map(line -> line.substring(prefix.length()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(name + " has no line " + prefix));
  }

  /** Writes all files below a folder. */
  public Path unpack(Path root) throws IOException {
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        int equals = line.indexOf(" =");
        unpack(root, line.substring(0, equals), line.substring(equals + 2));
      }
    }
    return root;
  }

  private static void unpack(Path root, String path, String text) throws IOException {
    int open = path.indexOf('{');
    if (open >= 0) {
      int close = path.indexOf('}');
      for (int id : CpuSet.parse(path.substring(open + 1, close)).stream().toArray()) {
        write(root.resolve(path.substring(0, open) + id + path.substring(close + 1)), text);
      }
    } else {
      write(root.resolve(path), text);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    if (text.startsWith(BASE64)) {
      Files.write(file, Base64.getDecoder().decode(text.substring(BASE64.length())));
    } else {
      String escaped = text.startsWith(" ") ? text.substring(1) : text;
      // Escapes are those of a Java text block as well.
      Files.writeString(file, escaped.translateEscapes() + "\n");
    }
  }
}

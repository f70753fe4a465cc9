package numaspark.shuffle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * Whether the folder above all pages is one in which nobody else can exchange our folders for
 * theirs.
 *
 * <p>Limit: the folders above it are believed; who names the folder chooses them.
 */
final class RootFolder {
  private static final int OTHERS_WRITE = 022;
  private static final int STICKY = 01000;

  private RootFolder() {}

  /**
   * @throws IOException that names what is wrong and the remedy
   */
  static void requireSafe(Path root) throws IOException {
    if (Files.isSymbolicLink(root)) {
      throw new IOException(root + " is a symbolic link; name the folder that it leads to");
    }
    Map<String, Object> status = status(root);
    long owner = ((Number) status.get("uid")).longValue();
    long self = self();
    if (owner != self && owner != 0) {
      throw new IOException(
          root
              + " belongs to user "
              + owner
              + ", who could exchange the pages of this process, which runs as user "
              + self
              + "; name a folder of its own");
    }
    int mode = ((Number) status.get("mode")).intValue();
    if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0 && !isVolume(root, status)) {
      throw new IOException(
          root
              + " may be written by others, who could exchange the pages of this process: mode "
              + Integer.toOctalString(mode & 07777)
              + "; give it 1777 or 700");
    }
  }

  /** This process's user. */
  static long self() throws IOException {
    Path process = Path.of("/proc/self");
    if (Files.exists(process)) {
      return owner(process.toRealPath());
    }
    Path made = Files.createTempFile("numaspark", null);
    try {
      return owner(made);
    } finally {
      Files.delete(made);
    }
  }

  /** Of the entry itself, where it is a link. */
  static long owner(Path path) throws IOException {
    return ((Number) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS)).longValue();
  }

  /** One that is mounted, as Kubernetes does with an emptyDir, was given to this container. */
  private static boolean isVolume(Path root, Map<String, Object> status) throws IOException {
    Path parent = root.toRealPath().getParent();
    return parent != null && !status(parent).get("dev").equals(status.get("dev"));
  }

  private static Map<String, Object> status(Path folder) throws IOException {
    return Files.readAttributes(folder, "unix:uid,mode,dev", LinkOption.NOFOLLOW_LINKS);
  }
}

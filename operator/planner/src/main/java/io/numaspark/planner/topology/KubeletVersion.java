package io.numaspark.planner.topology;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The minor version of a kubelet, for example 1.36.
 *
 * <p>Limit: patches and what vendors add do not count; the resource managers change with minor
 * versions only.
 *
 * @param major 0 to 999
 * @param minor 0 to 999
 */
public record KubeletVersion(int major, int minor) implements Comparable<KubeletVersion> {
  /** A node's kubeletVersion is foreign text; no real one is nearly as long. */
  private static final int LONGEST = 128;

  private static final Pattern VERSION =
      Pattern.compile("v?([0-9]{1,3})\\.([0-9]{1,3})(?:[.+-][!-~]*)?");

  private static final Comparator<KubeletVersion> ORDER =
      Comparator.comparingInt(KubeletVersion::major).thenComparingInt(KubeletVersion::minor);

  /**
   * Reads what kubelets report, for example v1.36.0, v1.33.4-eks-abc or v1.36.0+k3s1.
   *
   * @param text as in a node's status.nodeInfo.kubeletVersion; null is no version
   * @return empty if it is no version
   */
  public static Optional<KubeletVersion> parse(String text) {
    if (text == null || text.length() > LONGEST) {
      return Optional.empty();
    }
    Matcher version = VERSION.matcher(text);
    return version.matches()
        ? Optional.of(
            new KubeletVersion(
                Integer.parseInt(version.group(1)), Integer.parseInt(version.group(2))))
        : Optional.empty();
  }

  @Override
  public int compareTo(KubeletVersion other) {
    return ORDER.compare(this, other);
  }

  /** For example 1.36. */
  @Override
  public String toString() {
    return major + "." + minor;
  }
}

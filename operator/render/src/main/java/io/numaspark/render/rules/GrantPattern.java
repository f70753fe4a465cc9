package io.numaspark.render.rules;

import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.driver.IngressUrl;
import java.util.List;

/**
 * Compares what an application asks for with what the platform names, in time that is linear in
 * both.
 *
 * <p>Limit: in a host {@code *} is one whole label, in any other name whatever follows; alone it is
 * everything.
 */
final class GrantPattern {
  private static final String ANY = "*";

  private final ApplicationIdentity identity;

  GrantPattern(ApplicationIdentity identity) {
    this.identity = identity;
  }

  boolean admitsName(List<String> patterns, String name) {
    return patterns.stream()
        .map(pattern -> IngressUrl.filled(pattern, identity))
        .anyMatch(
            pattern ->
                pattern.endsWith(ANY)
                    ? name.startsWith(pattern.substring(0, pattern.length() - 1))
                    : name.equals(pattern));
  }

  boolean admitsUrl(List<String> patterns, IngressUrl url) {
    return patterns.stream()
        .map(pattern -> IngressUrl.filled(pattern, identity))
        .anyMatch(pattern -> admits(pattern, url));
  }

  private static boolean admits(String pattern, IngressUrl url) {
    if (pattern.equals(ANY)) {
      return true;
    }
    int slash = pattern.indexOf('/');
    String host = slash < 0 ? pattern : pattern.substring(0, slash);
    String folder = IngressUrl.withoutSlash(slash < 0 ? "" : pattern.substring(slash));
    return admitsHost(host, url.host()) && (url.path() + "/").startsWith(folder + "/");
  }

  /** A host that itself begins with a wildcard stands for many, so that none of ours admits it. */
  private static boolean admitsHost(String pattern, String host) {
    String[] wanted = pattern.split("\\.", -1);
    String[] labels = host.split("\\.", -1);
    if (wanted.length != labels.length) {
      return false;
    }
    for (int i = 0; i < labels.length; i++) {
      if (labels[i].equals(ANY) || !(wanted[i].equals(ANY) || wanted[i].equals(labels[i]))) {
        return false;
      }
    }
    return true;
  }
}

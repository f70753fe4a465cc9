package io.numaspark.api.v1alpha1;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A reason that conditions, statuses and events show: one of a known set, so that
 * docs/troubleshooting.md can explain each.
 *
 * <p>Limit: reasons that are only passed on, such as the kubelet's for a pod, are none of these.
 */
public interface StatusReason {
  /** The constant's name, such as PROFILE_NOT_FOUND. */
  String name();

  /** CamelCase, such as ProfileNotFound: a part of the API. */
  default String displayName() {
    return Arrays.stream(name().split("_"))
        .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** The reason that a status has; empty if it has none of these, or none. */
  static <R extends Enum<R> & StatusReason> Optional<R> parse(Class<R> reasons, String text) {
    return Arrays.stream(reasons.getEnumConstants())
        .filter(reason -> reason.displayName().equals(text))
        .findFirst();
  }
}

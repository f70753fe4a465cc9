package io.numaspark.api.v1alpha1;

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
    StringBuilder camelCase = new StringBuilder();
    boolean startsWord = true;
    for (char letter : name().toCharArray()) {
      if (letter != '_') {
        camelCase.append(startsWord ? letter : Character.toLowerCase(letter));
      }
      startsWord = letter == '_';
    }
    return camelCase.toString();
  }
}

package io.numaspark.controller.process;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a service account may do, or may not, in words: {@code may update
 * leases.coordination.k8s.io:numaspark in numaspark-system}, {@code may not get secrets}.
 *
 * <p>Without a namespace it is said of all of them. Limit: resources only, no URLs such as {@code
 * /metrics}.
 *
 * @param text the words themselves
 * @param allowed whether it may
 * @param question what to ask the API server
 */
record RightsClaim(String text, boolean allowed, ResourceAttributes question) {
  private static final Pattern WORDS =
      Pattern.compile(
          "may (?<not>not )?(?<verb>[a-z*]+) (?<resource>[a-z*]+)(\\.(?<group>[a-z0-9.-]+))?"
              + "(/(?<subresource>[a-z]+))?(:(?<name>\\S+))?( in (?<namespace>[a-z0-9-]+))?");

  /**
   * Reads the words.
   *
   * @throws IllegalArgumentException if they are none
   */
  static RightsClaim of(String text) {
    Matcher words = WORDS.matcher(text);
    if (!words.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a right; write: may [not] VERB RESOURCE[.GROUP][/SUBRESOURCE][:NAME] [in NAMESPACE]"
              .formatted(text));
    }
    return new RightsClaim(
        text,
        words.group("not") == null,
        new ResourceAttributesBuilder()
            .withVerb(words.group("verb"))
            .withResource(words.group("resource"))
            .withGroup(words.group("group"))
            .withSubresource(words.group("subresource"))
            .withName(words.group("name"))
            .withNamespace(words.group("namespace"))
            .build());
  }
}

package io.numaspark.render.driver;

import io.numaspark.render.application.ApplicationIdentity;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an Ingress leads from.
 *
 * @param host of the Ingress' rule
 * @param path without a slash at its end; empty for the whole host
 */
public record IngressUrl(String host, String path) {
  /**
   * A scheme and a port are allowed and not used: an Ingress rule has neither. Of a path, whatever
   * could mean something in the pattern that it becomes a part of is refused.
   */
  private static final Pattern URL =
      Pattern.compile(
          "(?:[a-z]{1,10}://)?"
              + "((?:\\*\\.)?[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)*)"
              + "(?::[0-9]{1,5})?((?:/(?![.]{1,2}(?:/|$))[-A-Za-z0-9._~]+)*/?)");

  private static final int LONGEST_HOST = 253;

  /** The pattern needs stack for each label of a name. */
  private static final int LONGEST = 1024;

  /**
   * A format with the application's name, namespace and Spark id in it.
   *
   * @param field that holds the format
   * @throws IllegalArgumentException naming the field, if the result is not a HOST/PATH
   */
  public static IngressUrl of(String field, String format, ApplicationIdentity identity) {
    if (format.length() > LONGEST) {
      throw new IllegalArgumentException(
          "%s: has %d characters; give at most %d".formatted(field, format.length(), LONGEST));
    }
    String text = filled(format, identity);
    Matcher url = URL.matcher(text);
    if (!url.matches() || url.group(1).length() > LONGEST_HOST) {
      throw new IllegalArgumentException(
          field
              + ": '"
              + text
              + "' is not a host and path; write for example {{$appName}}.spark.example.com or"
              + " spark.example.com/{{$appNamespace}}/{{$appName}}");
    }
    return new IngressUrl(url.group(1), withoutSlash(url.group(2)));
  }

  /** A text with the application's name, namespace and Spark id in the places for them. */
  public static String filled(String format, ApplicationIdentity identity) {
    return replaced(
        replaced(
            replaced(format, "appName", identity.name()), "appNamespace", identity.namespace()),
        "appId",
        identity.names().sparkAppId());
  }

  /** The path as a part of a pattern that means just it. */
  String pathPattern() {
    return path.replace(".", "\\.");
  }

  /** The address as people type it. */
  public String address() {
    return host + path;
  }

  private static String replaced(String format, String variable, String value) {
    return format.replaceAll(
        "\\{\\{\\s*\\$" + variable + "\\s*}}", Matcher.quoteReplacement(value));
  }

  public static String withoutSlash(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}

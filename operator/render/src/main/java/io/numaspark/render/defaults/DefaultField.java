package io.numaspark.render.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.numaspark.render.conf.SparkKeys;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A field of SparkApplications that a namespace may have a default for: its annotation, what may
 * stand there, and where it is written.
 *
 * <p>Limit: only fields for which the CRD has no default, because the API server fills those before
 * it asks a webhook, and then nobody knows that they were absent.
 */
public enum DefaultField {
  IMAGE(
      "image",
      "image",
      new Form("the name of an image", Form.of(1024, "[A-Za-z0-9][-A-Za-z0-9._/:@+{}]*")),
      given("/image", conf(SparkKeys.IMAGE))
          .or(spec -> isThere(spec, "/driver/image") && isThere(spec, "/executor/image")),
      text("/image")),

  /** It belongs to the image: {@link DefaultsReview} fills it only together with that. */
  SPARK_VERSION(
      "spark-version",
      "sparkVersion",
      new Form(
          "a version of Spark, such as 4.3.0",
          Form.of(32, "[0-9]+\\.[0-9]+(\\.[0-9]+)?([-.][0-9A-Za-z.-]+)?")),
      given("/sparkVersion"),
      text("/sparkVersion")),

  IMAGE_PULL_SECRETS(
      "image-pull-secrets",
      "imagePullSecrets",
      new Form("1 to 16 names of Secrets, with commas between them", Form::areNames),
      given("/imagePullSecrets", conf("spark.kubernetes.container.image.pullSecrets")),
      value -> Map.of("/imagePullSecrets", list(value))),

  SERVICE_ACCOUNT(
      "service-account",
      "driver.serviceAccount",
      new Form("the name of a service account", Form::isName),
      given(
          "/driver/serviceAccount",
          "/driver/template/spec/serviceAccountName",
          "/driver/template/spec/serviceAccount",
          conf(SparkKeys.SERVICE_ACCOUNT)),
      text("/driver/serviceAccount")),

  NODE_PROFILE(
      "node-profile",
      "nodeProfile",
      new Form("the name of a SparkNodeProfile", Form.of(63, Form.DNS_LABEL)),
      given("/nodeProfile"),
      text("/nodeProfile")),

  EVENT_LOG_DIR(
      "event-log-dir",
      "spark.eventLog.dir",
      new Form(
          "a folder, such as s3a://logs/spark or /mnt/logs",
          Form.of(1024, "([A-Za-z][-A-Za-z0-9+.]*:)?/[!-~]*")),
      given(conf("spark.eventLog.enabled"), conf("spark.eventLog.dir")),
      value ->
          Map.of(
              conf("spark.eventLog.enabled"), TextNode.valueOf("true"),
              conf("spark.eventLog.dir"), TextNode.valueOf(value))),

  TIME_TO_LIVE_SECONDS(
      "time-to-live-seconds",
      "timeToLiveSeconds",
      new Form("a whole number of seconds, from 0 to 999999999", Form.of(9, "[0-9]+")),
      given("/timeToLiveSeconds"),
      value -> Map.of("/timeToLiveSeconds", LongNode.valueOf(Long.parseLong(value))));

  private final String key;
  private final String label;
  private final Form form;
  private final Predicate<JsonNode> given;
  private final Function<String, Map<String, JsonNode>> written;

  DefaultField(
      String key,
      String label,
      Form form,
      Predicate<JsonNode> given,
      Function<String, Map<String, JsonNode>> written) {
    this.key = key;
    this.label = label;
    this.form = form;
    this.given = given;
    this.written = written;
  }

  /**
   * What may stand in an annotation.
   *
   * @param words what it is, for people
   */
  private record Form(String words, Predicate<String> admits) {
    static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String DNS_NAME = DNS_LABEL + "(\\." + DNS_LABEL + ")*";
    private static final Predicate<String> NAME = of(253, DNS_NAME);
    private static final int MOST_NAMES = 16;

    /**
     * A text.
     *
     * @param longest in characters; looked at first, as strangers write the text
     */
    static Predicate<String> of(int longest, String pattern) {
      return value -> value.length() <= longest && value.matches(pattern);
    }

    static boolean isName(String value) {
      return NAME.test(value);
    }

    static boolean areNames(String value) {
      String[] names = items(value);
      return names.length <= MOST_NAMES && Stream.of(names).allMatch(NAME);
    }
  }

  /** The field of an annotation's key; empty if there is none. */
  static Optional<DefaultField> ofKey(String key) {
    return Arrays.stream(values()).filter(field -> field.key.equals(key)).findFirst();
  }

  /** The keys of all, for a message. */
  static String keys() {
    return String.join(", ", Arrays.stream(values()).map(field -> field.key).toList());
  }

  /** What it is called in the annotation of an application. */
  String label() {
    return label;
  }

  /** What a value has to be, for a message. */
  String words() {
    return form.words();
  }

  /** Whether the field can have this value, which has no blanks at its ends. */
  boolean admits(String value) {
    return form.admits().test(value);
  }

  /** Whether an application says this itself, in the field or in another way. */
  boolean isGiven(JsonNode spec) {
    return given.test(spec);
  }

  /** What to write for a value that is admitted, by JSON pointers below spec. */
  Map<String, JsonNode> written(String value) {
    return written.apply(value);
  }

  private static Predicate<JsonNode> given(String... pointers) {
    return spec -> Stream.of(pointers).anyMatch(pointer -> isThere(spec, pointer));
  }

  private static boolean isThere(JsonNode spec, String pointer) {
    JsonNode node = spec.at(pointer);
    return !node.isMissingNode() && !node.isNull();
  }

  /** No name of a property has a character that pointers escape. */
  private static String conf(String property) {
    return "/sparkConf/" + property;
  }

  private static Function<String, Map<String, JsonNode>> text(String pointer) {
    return value -> Map.of(pointer, TextNode.valueOf(value));
  }

  private static ArrayNode list(String value) {
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    Stream.of(items(value)).distinct().forEach(list::add);
    return list;
  }

  private static String[] items(String value) {
    return Arrays.stream(value.split(",", -1)).map(String::strip).toArray(String[]::new);
  }
}

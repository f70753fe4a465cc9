package io.numaspark.controller.webhook;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.defaults.Defaulting;
import io.numaspark.render.defaults.Defaulting.Filled;
import io.numaspark.render.defaults.DefaultsReview;
import io.numaspark.render.defaults.NamespaceDefaults;
import io.numaspark.render.inject.ApplicationReview;
import io.numaspark.render.inject.DriverConfigReview;
import io.numaspark.render.inject.ExecutorPodReview;
import io.numaspark.render.inject.InjectionRecord;
import io.numaspark.render.inject.JsonPatch;
import io.numaspark.render.inject.PinningOffer;
import io.numaspark.render.inject.Review;
import io.numaspark.render.inject.Review.Left;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import io.numaspark.render.text.Labels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the API server's questions about executor pods, applications of other operators, what
 * spark-submit starts drivers with, and defaults of our own applications.
 *
 * <p>It never refuses an object: a driver would try for ever (before Spark 4.2), and an executor
 * that is not pinned still works. It writes nothing but its answer, so that a dry run is one.
 */
public final class AdmissionHandler implements Function<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionHandler.class);

  /** The API server shows no more of one, and cuts all of them at 4,096 (KEP 1693). */
  private static final int LONGEST_WARNING = 250;

  private static final int MOST_WARNINGS = 10;

  private final Function<String, Optional<String>> namespaceProfiles;
  private final Function<String, Optional<Map<String, String>>> namespaceDefaults;
  private final Function<String, PinningOffer> offers;
  private final WebhookRequests requests;

  /**
   * A handler.
   *
   * @param namespaceProfiles the profile that the label of a namespace names
   * @param namespaceDefaults the annotations of a namespace whose label says that they are defaults
   * @param offers what a profile has now, by its name
   * @param requests counts what was answered
   */
  public AdmissionHandler(
      Function<String, Optional<String>> namespaceProfiles,
      Function<String, Optional<Map<String, String>>> namespaceDefaults,
      Function<String, PinningOffer> offers,
      WebhookRequests requests) {
    this.namespaceProfiles = namespaceProfiles;
    this.namespaceDefaults = namespaceDefaults;
    this.offers = offers;
    this.requests = requests;
  }

  /** How requests ended, and how long they took. */
  public interface WebhookRequests {
    /**
     * One was answered.
     *
     * @param kind Pod, SparkApplication, ConfigMap or other
     */
    void answered(String kind, Outcome outcome, long nanoseconds);
  }

  /** What became of a request. */
  public enum Outcome {
    PINNED,
    FILLED,
    LEFT,
    UNCHANGED,
    ERROR
  }

  /**
   * The answer to a question.
   *
   * @throws IllegalArgumentException if the body is no question
   */
  @Override
  public byte[] apply(byte[] body) {
    long start = System.nanoTime();
    AdmissionRequest request = AdmissionRequest.parse(body);
    ObjectNode response = JsonNodeFactory.instance.objectNode();
    response.put("uid", request.uid()).put("allowed", true);
    Outcome outcome;
    try {
      outcome =
          isOurs(request) ? fill(request, response) : answer(request, review(request), response);
    } catch (RuntimeException e) {
      LOG.error(
          "{} {} in namespace {} stays as it is, because of a defect of this program",
          request.kind(),
          request.object().path("metadata").path("name").asText(),
          request.namespace(),
          e);
      outcome = Outcome.ERROR;
    }
    requests.answered(
        isPod(request) || isApplication(request) || isDriverConfig(request) || isOurs(request)
            ? request.kind()
            : "other",
        outcome,
        System.nanoTime() - start);
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
    answer.set("response", response);
    return answer.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isPod(AdmissionRequest request) {
    return request.group().isEmpty() && request.kind().equals("Pod");
  }

  private static boolean isDriverConfig(AdmissionRequest request) {
    return request.group().isEmpty()
        && request.kind().equals("ConfigMap")
        && request.object().at("/metadata/name").asText().matches(DriverConfigReview.NAME);
  }

  private static boolean isApplication(AdmissionRequest request) {
    return request.kind().equals("SparkApplication")
        && (request.group().equals("sparkoperator.k8s.io")
            || request.group().equals("spark.apache.org"));
  }

  private static boolean isOurs(AdmissionRequest request) {
    return request.kind().equals("SparkApplication") && request.group().equals(ApiGroup.NAME);
  }

  private Outcome fill(AdmissionRequest request, ObjectNode response) {
    if (!request.isCreate() || request.label(Labels.DEFAULTS).equals(Labels.DEFAULTS_OFF)) {
      return Outcome.UNCHANGED;
    }
    Optional<Defaulting> defaulting =
        namespaceDefaults
            .apply(request.namespace())
            .map(annotations -> NamespaceDefaults.of(request.namespace(), annotations))
            .map(defaults -> new DefaultsReview(defaults).created(request.object()));
    defaulting.ifPresent(result -> warn(result.warnings(), response));
    if (defaulting.isPresent() && defaulting.get() instanceof Filled filled) {
      patch(request.object(), filled.object(), response);
      return Outcome.FILLED;
    }
    return Outcome.UNCHANGED;
  }

  /** The same questions that the webhook's configuration asks; somebody may have edited that. */
  private Review review(AdmissionRequest request) {
    Optional<String> profile = profile(request);
    if (profile.isEmpty()) {
      return new Unchanged();
    }
    if (isPod(request)) {
      boolean ofOthers =
          request.label(Labels.SPARK_ROLE).equals(Labels.ROLE_EXECUTOR)
              && request.label(Labels.APPLICATION).isEmpty();
      return ofOthers && request.isCreate()
          ? new ExecutorPodReview(offers.apply(profile.get())).created(request.object())
          : new Unchanged();
    }
    if (isDriverConfig(request)) {
      return request.isCreate()
          ? new DriverConfigReview(offers.apply(profile.get())).created(request.object())
          : new Unchanged();
    }
    if (!isApplication(request)) {
      return new Unchanged();
    }
    ApplicationReview applications = new ApplicationReview(offers);
    if (request.isCreate()) {
      return applications.created(request.object(), profile.get());
    }
    return request.operation().equals("UPDATE") && request.old().isPresent()
        ? applications.changed(request.old().get(), request.object(), profile.get())
        : new Unchanged();
  }

  /** The object's label goes before that of its namespace. */
  private Optional<String> profile(AdmissionRequest request) {
    String own = request.label(Labels.INJECT);
    return (own.isEmpty() ? namespaceProfiles.apply(request.namespace()) : Optional.of(own))
        .filter(name -> !name.isEmpty() && !name.equals(Labels.INJECT_NOT));
  }

  private static Outcome answer(AdmissionRequest request, Review review, ObjectNode response) {
    if (review instanceof Pinned pinned) {
      patch(request.object(), pinned.object(), response);
      warn(pinned.warnings(), response);
      return Outcome.PINNED;
    }
    if (review instanceof Left left) {
      patch(request.object(), left.object(), response);
      warn(
          left.reasons().stream().map(reason -> "executors are not pinned: " + reason).toList(),
          response);
      return Outcome.LEFT;
    }
    return Outcome.UNCHANGED;
  }

  private static void patch(ObjectNode sent, ObjectNode wanted, ObjectNode response) {
    ArrayNode operations = JsonPatch.between(InjectionRecord.normal(sent), wanted);
    if (!operations.isEmpty()) {
      response.put("patchType", "JSONPatch");
      response.put("patch", operations.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void warn(List<String> warnings, ObjectNode response) {
    if (warnings.isEmpty()) {
      return;
    }
    ArrayNode list = response.putArray("warnings");
    warnings.stream().limit(MOST_WARNINGS).map(AdmissionHandler::header).forEach(list::add);
  }

  /** Warnings travel in a header: one line. */
  private static String header(String warning) {
    String line = "numaspark: " + warning.replaceAll("\\p{Cntrl}+", " ");
    return line.length() <= LONGEST_WARNING ? line : line.substring(0, LONGEST_WARNING - 1) + "…";
  }
}

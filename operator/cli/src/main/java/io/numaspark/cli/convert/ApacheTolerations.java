package io.numaspark.cli.convert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.render.notes.Notes;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** spec.applicationTolerations of an Apache application: restarts, limits of time, deletion. */
final class ApacheTolerations {
  private static final String FIELD = "spec.applicationTolerations";

  /** The bounds of restartPolicy in numaspark's schema. */
  private static final long MOST_RETRIES = 1_000_000;

  private static final long LONGEST_INTERVAL = 604_800;

  /** Defaults of Apache's operator (RestartConfig). */
  private static final long ATTEMPTS = 3;

  private static final long BACKOFF_MILLIS = 30_000;

  private static final Map<String, String> WITHOUT_COUNTERPART =
      Map.of(
          "applicationTimeoutConfig",
          "is left out: numaspark does not stop an application that is slow to start; its status"
              + " says what it waits for",
          "resourceRetainPolicy",
          "is left out: the pods of an ended application stay until it is deleted",
          "resourceRetainDurationMillis",
          "is left out: the pods of an ended application stay until it is deleted, see"
              + " spec.timeToLiveSeconds");

  private final ObjectNode spec;
  private final Notes notes;

  ApacheTolerations(ObjectNode spec, Notes notes) {
    this.spec = spec;
    this.notes = notes;
  }

  void convert(JsonNode tolerations) {
    restart(tolerations.path("restartConfig"));
    instances(tolerations.path("instanceConfig"));
    number(tolerations, "ttlAfterStopMillis")
        .ifPresent(
            millis -> {
              if (millis >= 0) {
                spec.put("timeToLiveSeconds", seconds(millis));
              }
            });
    WITHOUT_COUNTERPART.forEach(
        (field, reason) -> {
          if (tolerations.has(field)) {
            notes.warn(FIELD + "." + field, reason);
          }
        });
  }

  private void restart(JsonNode config) {
    if (!config.isObject()) {
      return;
    }
    String field = FIELD + ".restartConfig";
    String policy = config.path("restartPolicy").asText("Never");
    if (policy.equals("OnInfrastructureFailure")) {
      notes.warn(
          field + ".restartPolicy",
          "is OnInfrastructureFailure, which becomes OnFailure: failures of the application are"
              + " repeated too");
      policy = "OnFailure";
    }
    if (!policy.equals("Never")) {
      ObjectNode restart = spec.putObject("restartPolicy");
      restart.put("type", policy);
      attempts(config, policy, restart);
      long millis = number(config, "restartBackoffMillis").orElse(BACKOFF_MILLIS);
      restart.put(
          "onFailureRetryInterval", Math.min(Math.max(seconds(millis), 1), LONGEST_INTERVAL));
      notes.warn(
          field + (config.has("restartBackoffMillis") ? ".restartBackoffMillis" : ""),
          "becomes spec.restartPolicy with an interval in seconds; the n-th repetition waits n"
              + " times as long");
    }
    for (String name :
        List.of(
            "restartCounterResetMillis",
            "maxRestartOnFailure",
            "restartBackoffMillisForFailure",
            "maxRestartOnSchedulingFailure",
            "restartBackoffMillisForSchedulingFailure")) {
      if (config.hasNonNull(name)) {
        notes.warn(
            field + "." + name, "is left out: numaspark counts all repetitions of a run together");
      }
    }
  }

  private void attempts(JsonNode config, String policy, ObjectNode restart) {
    OptionalLong attempts = number(config, "maxRestartAttempts");
    if (policy.equals("Always")) {
      if (attempts.isPresent()) {
        notes.warn(
            FIELD + ".restartConfig.maxRestartAttempts",
            "is left out: with restartPolicy Always every run is followed by another");
      }
      return;
    }
    restart.put("onFailureRetries", Math.min(Math.max(attempts.orElse(ATTEMPTS), 0), MOST_RETRIES));
  }

  /**
   * In Apache's operator these are what its status waits for, and nothing at all without
   * initExecutors (AppRunningStep): the number of executors is Spark's configuration.
   */
  private void instances(JsonNode config) {
    if (!config.isObject()) {
      return;
    }
    notes.warn(
        FIELD + ".instanceConfig",
        "is left out: it makes no executors with Apache's operator either, its status alone waits"
            + " for them; the number is spec.executor.instances or spec.dynamicAllocation, for a"
            + " start of all executors at once see spec.start");
  }

  /** Rounded up, so that a wait is never shorter. */
  private static long seconds(long millis) {
    return millis / 1000 + (millis % 1000 > 0 ? 1 : 0);
  }

  /** Whole numbers; its users write the largest one of 64 bits for "for ever". */
  private static OptionalLong number(JsonNode object, String field) {
    String text = object.path(field).asText("");
    if (!text.matches("-?[0-9]{1,19}")) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(
        new BigInteger(text)
            .max(BigInteger.valueOf(-1))
            .min(BigInteger.valueOf(Long.MAX_VALUE))
            .longValueExact());
  }
}

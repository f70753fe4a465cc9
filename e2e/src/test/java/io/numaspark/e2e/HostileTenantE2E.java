package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tenant whose driver attacks the operator with all that a pod can do: half-sent requests to each
 * of its ports, a REST API that stalls, trickles, never ends, lies and redirects, and a log of one
 * line of 5 MB. The operator stays alive and ready, and serves another application meanwhile.
 */
@Order(19)
@Tag("tenants")
class HostileTenantE2E {
  private static final String HOSTILE = "hostile-driver";
  private static final String JOB = "hostile-job";
  private static final String OTHER = "beside-hostile";
  private static final Duration LONG = Duration.ofMinutes(8);

  /** Messages of events may have 1024 characters; ours are to be read by people. */
  private static final int LONGEST_MESSAGE = 4096;

  /** Where the nodes' agents report of executors, no driver is asked. */
  @BeforeAll
  static void takeTheAgentsAway() {
    Releases.finished(
        Lab.upgradeRelease(
            "--set=agent.enabled=false,agent.pinner.enabled=false",
            "--set=sharedPages.namespaces=null"));
    Applications.applyProfile();
  }

  @AfterAll
  static void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", HOSTILE);
    Lab.delete("sparkapplications.numaspark.io", OTHER);
    Lab.delete("configmap", JOB);
    Applications.awaitNoPods(HOSTILE);
    Releases.finished(Lab.upgradeRelease());
  }

  @Test
  void theOperatorOutlivesAHostileDriver() {
    JsonNode operator = Lab.operatorPods().path(0);
    Lab.kubectl(
            "create",
            "configmap",
            JOB,
            "--from-file=job.py=" + Lab.REPOSITORY.resolve("e2e/src/test/resources/hostile.py"))
        .orFail();
    Lab.apply(application(operator)).orFail();
    Lab.awaitState(HOSTILE, LONG, "RUNNING");
    await("the attack")
        .atMost(LONG)
        .until(() -> !Applications.driverLines(HOSTILE, "ATTACKING ").isEmpty());

    // A liveness probe fails after 3 periods of 10 s: the attack goes on for longer than that.
    Lab.apply(Applications.ordinary(OTHER, Applications.MAIN_CLASS)).orFail();
    Applications.awaitCompleted(OTHER, LONG);
    // Before the log is rotated by what its driver writes at the end.
    assertThat(Applications.driverLines(HOSTILE, "ASKED "))
        .as("the web UI of the attacker")
        .isNotEmpty();
    JsonNode failed = Lab.awaitState(HOSTILE, LONG, "FAILED");

    assertThat(failed.path("status").findValuesAsText("message"))
        .allSatisfy(message -> assertThat(message.length()).isLessThan(LONGEST_MESSAGE));
    assertThat(failed.at("/status/applicationState/errorMessage").asText().length())
        .isLessThan(LONGEST_MESSAGE);
    JsonNode after = Lab.operatorPods().path(0);
    assertThat(after.at("/metadata/uid")).isEqualTo(operator.at("/metadata/uid"));
    assertThat(after.at("/status/containerStatuses/0/restartCount").asInt())
        .as("restarts")
        .isEqualTo(operator.at("/status/containerStatuses/0/restartCount").asInt());
    assertThat(unreadyProbes(operator)).as("probes that failed").isEmpty();
  }

  /** Events of failed probes of the operator's pod; those of its start are older. */
  private static List<String> unreadyProbes(JsonNode operator) {
    String pod = operator.at("/metadata/name").asText();
    JsonNode events =
        Lab.json(
            Lab.kubectl(
                    "get",
                    "events",
                    "-n",
                    "numaspark-system",
                    "--field-selector=reason=Unhealthy,involvedObject.name=" + pod,
                    "-o",
                    "json")
                .orFail()
                .out());
    return StreamSupport.stream(events.path("items").spliterator(), false)
        .map(event -> event.path("message").asText())
        .filter(message -> message.contains("Liveness"))
        .toList();
  }

  private static String application(JsonNode operator) {
    String ports =
        operator.at("/spec/containers/0/ports").findValuesAsText("containerPort").stream()
            .distinct()
            .collect(Collectors.joining(","));
    return """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkApplication
        metadata: {name: %s}
        spec:
          type: Python
          image: numaspark/spark:%s
          imagePullPolicy: Never
          sparkVersion: %s
          mainApplicationFile: local:///opt/jobs/job.py
          arguments: ["%s", "%s", "100"]
          nodeProfile: dual-socket
          executor: {instances: 1}
          volumes: [{name: job, configMap: {name: %s}}]
          driver:
            memory: 600m
            coreRequest: 100m
            volumeMounts: [{name: job, mountPath: /opt/jobs}]
        """
        .formatted(
            HOSTILE,
            Applications.SPARK,
            Applications.SPARK,
            operator.at("/status/podIP").asText(),
            ports,
            JOB)
        .concat(Applications.PATIENT_CONF.indent(2));
  }
}

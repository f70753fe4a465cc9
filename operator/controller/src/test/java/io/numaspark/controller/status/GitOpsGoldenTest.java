package io.numaspark.controller.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.ScheduledSparkApplication;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.controller.fixture.Pods;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.lifecycle.Step.Finish;
import io.numaspark.controller.lifecycle.Step.Start;
import io.numaspark.planner.fixture.GoldenFile;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.MatchedNode;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import io.numaspark.render.proof.Diagnosis;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * What Flux, Helm 4 and Argo CD make of each status that the operator writes.
 *
 * <p>The rules are those of kstatus (cli-utils, pkg/kstatus/status: checkGenericProperties and
 * checkReadyCondition), written down once more. {@code make gitops-check} gives the files to
 * kstatus itself and to the script for Argo CD.
 */
class GitOpsGoldenTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden/gitops");
  private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");
  private static final String CURRENT = "Current";
  private static final String FAILED = "Failed";
  private static final String IN_PROGRESS = "InProgress";
  private static final Map<String, String> ARGO_CD =
      Map.of(CURRENT, "Healthy", FAILED, "Degraded", IN_PROGRESS, "Progressing");

  private final Map<String, HasMetadata> objects = new TreeMap<>();
  private final Map<String, String> expected = new TreeMap<>();

  @Test
  void everyStatusIsReadAsItIsMeant() throws IOException {
    applications();
    schedules();
    profiles();
    trials();
    connects();
    StringBuilder table = new StringBuilder();
    for (Map.Entry<String, HasMetadata> object : objects.entrySet()) {
      ObjectNode read = read(object.getValue());
      String file = object.getKey() + ".yaml";
      GoldenFile.hold(FOLDER.resolve(file), Serialization.asYaml(read));
      assertThat(kstatus(read)).as(file).isEqualTo(expected.get(object.getKey()));
      table.append("%s\t%s\t%s\n".formatted(file, kstatus(read), argoCd(read)));
    }
    GoldenFile.hold(FOLDER.resolve("expected.tsv"), table.toString());
  }

  private void applications() {
    application(
        "waits",
        IN_PROGRESS,
        app -> app.status(s -> s.waiting(State.SUBMITTED, why("ProfileNotFound"))));
    application("submitted", IN_PROGRESS, app -> {});
    application("delayed", IN_PROGRESS, app -> app.status(s -> s.delayed("a pod is in the way")));
    application("starts", IN_PROGRESS, app -> app.follow("{phase: Pending}"));
    application("runs", CURRENT, app -> app.follow("{phase: Running}"));
    application("node-silent", IN_PROGRESS, app -> app.follow("{phase: Unknown}"));
    application("completed", CURRENT, app -> app.finish(State.COMPLETED, 0));
    application("failed", FAILED, app -> app.finish(State.FAILED, 1));
    application("fails-and-is-due", IN_PROGRESS, app -> app.finish(State.PENDING_RERUN, 1));
    application("repeats", CURRENT, app -> app.finish(State.PENDING_RERUN, 0));
    application(
        "waits-for-its-rerun",
        IN_PROGRESS,
        app -> {
          app.finish(State.PENDING_RERUN, 1);
          app.status(s -> s.waiting(State.PENDING_RERUN, why("WaitingForSlots")));
        });
    application(
        "settled-after-a-failure",
        FAILED,
        app -> {
          app.finish(State.PENDING_RERUN, 1);
          app.status(s -> s.settled(State.FAILED));
        });
    application("refused-spec", FAILED, app -> app.status(s -> s.refused(why("SpecInvalid"))));
    application(
        "refused-submission",
        IN_PROGRESS,
        app -> app.status(s -> s.submissionFailed(why("SubmissionForbidden"))));
    application(
        "refused-submissions-used-up",
        FAILED,
        app -> {
          app.edit("restartPolicy: {type: Never, onSubmissionFailureRetries: 0}");
          app.status(s -> s.submissionFailed(why("SubmissionForbidden")));
        });
    application("suspending", IN_PROGRESS, app -> app.status(s -> s.stopping(State.SUSPENDING)));
    application(
        "invalidating", IN_PROGRESS, app -> app.status(s -> s.stopping(State.INVALIDATING)));
    application("suspended", IN_PROGRESS, app -> app.status(s -> s.suspended()));
    application(
        "completed-and-edited-without-effect",
        CURRENT,
        app -> {
          app.finish(State.COMPLETED, 0);
          app.edit("timeToLiveSeconds: 60");
          app.status(s -> s.unchanged());
        });
    application(
        "edited-and-not-looked-at",
        IN_PROGRESS,
        app -> {
          app.finish(State.COMPLETED, 0);
          app.edit("arguments: [other]");
        });
  }

  private static Diagnosis why(String reason) {
    return new Diagnosis(reason, "because of this");
  }

  private void application(String name, String kstatus, Consumer<Story> story) {
    Story told = new Story();
    if (!name.equals("waits") && !name.equals("refused-spec")) {
      told.submit();
    }
    story.accept(told);
    add("application-" + name, told.application, kstatus);
  }

  /** What happens to an application. */
  private static final class Story {
    private SparkApplication application = Samples.application("pi", "");

    void submit() {
      Manifests manifests =
          (Manifests) new ApplicationRenderer("spark").render(application, Optional.empty());
      status(s -> s.intended(new Start(1, 0, State.SUBMITTED), manifests));
    }

    void status(Function<ApplicationStatusAssembler, SparkApplicationStatus> next) {
      application.setStatus(next.apply(new ApplicationStatusAssembler(application, NOW)));
    }

    void follow(String pod) {
      status(s -> s.observed(Pods.driver(pod), none()));
    }

    void finish(State next, int failures) {
      boolean ended = next != State.PENDING_RERUN;
      Finish finish =
          new Finish(
              next, failures, NOW, ended ? Optional.empty() : Optional.of(NOW.plusSeconds(5)));
      status(
          s ->
              s.finished(
                  finish,
                  why(failures == 0 ? "Completed" : "DriverFailed"),
                  Optional.empty(),
                  none()));
    }

    void edit(String further) {
      SparkApplication edited = Samples.application("pi", further + "\n");
      edited.getMetadata().setGeneration(application.getMetadata().getGeneration() + 1);
      edited.setStatus(application.getStatus());
      application = edited;
    }

    private static Executors none() {
      return new Executors(ExecutorObservation.nothing(1), List.of());
    }
  }

  private void schedules() {
    schedule("followed", CURRENT, ScheduleDecision.SCHEDULED, Optional.empty());
    schedule("suspended", IN_PROGRESS, ScheduleDecision.SUSPENDED, Optional.empty());
    schedule(
        "invalid", FAILED, ScheduleDecision.FAILED_VALIDATION, Optional.of("spec.schedule: no"));
    ScheduledSparkApplication refused = schedule();
    ScheduleDecision.Start start = new ScheduleDecision.Start("nightly-1", NOW, List.of());
    refused.setStatus(
        new ScheduleStatusAssembler(
                refused, decision(ScheduleDecision.SCHEDULED, Optional.empty()), NOW)
            .refused(List.of(), start, "exceeded quota"));
    add("schedule-run-refused", refused, IN_PROGRESS);
  }

  private void schedule(String name, String kstatus, String state, Optional<String> problem) {
    ScheduledSparkApplication schedule = schedule();
    schedule.setStatus(
        new ScheduleStatusAssembler(schedule, decision(state, problem), NOW).waiting(List.of()));
    add("schedule-" + name, schedule, kstatus);
  }

  private static ScheduleDecision decision(String state, Optional<String> problem) {
    return new ScheduleDecision(
        state, problem, List.of(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static ScheduledSparkApplication schedule() {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: ScheduledSparkApplication
        metadata: {name: nightly, generation: 1}
        """,
        ScheduledSparkApplication.class);
  }

  private void profiles() {
    profile("with-slots", CURRENT, List.of(node("n-1")), List.of());
    profile("without-nodes", IN_PROGRESS, List.of(), List.of());
    profile(
        "without-topologies",
        IN_PROGRESS,
        List.of(new MatchedNode("n", Optional.empty())),
        List.of());
    profile("on-templates", IN_PROGRESS, List.of(), List.of(node("template")));
    profile(
        "on-missing-templates", FAILED, List.of(), List.of(new MatchedNode("t", Optional.empty())));
    SparkNodeProfile invalid = profile();
    invalid.setStatus(ProfileStatusAssembler.invalid(invalid, "spec.executor: no", NOW));
    add("profile-invalid", invalid, FAILED);
  }

  private void profile(
      String name, String kstatus, List<MatchedNode> nodes, List<MatchedNode> templates) {
    SparkNodeProfile profile = profile();
    ProfilePlan plan =
        templates.isEmpty()
            ? ProfilePlanner.plan(profile.getSpec(), nodes, false)
            : ProfilePlanner.plan(profile.getSpec(), nodes, templates, false);
    profile.setStatus(
        ProfileStatusAssembler.planned(
            profile, nodes.size(), plan, List.copyOf(plan.unusable()), List.of(), NOW));
    add("profile-" + name, profile, kstatus);
  }

  private static SparkNodeProfile profile() {
    SparkNodeProfile profile = Samples.profile("dual", "a");
    profile.getMetadata().setGeneration(3L);
    return profile;
  }

  private static MatchedNode node(String name) {
    return new MatchedNode(name, Optional.of(Samples.dualSocket(name)));
  }

  private void trials() {
    trial("not-allowed", FAILED, draft -> draft.refused(TrialReason.TRIALS_NOT_ALLOWED, "no"));
    trial("invalid", FAILED, draft -> draft.refused(TrialReason.INVALID_TRIAL, "no"));
    trial(
        "without-profile",
        IN_PROGRESS,
        draft -> draft.refused(TrialReason.TRIAL_PROFILE_NOT_FOUND, "no"));
    trial(
        "waits", IN_PROGRESS, draft -> draft.waiting(TrialReason.NODES_LOCKED, "another has them"));
    trial("drains", IN_PROGRESS, draft -> draft.draining(NOW, List.of("team/etl")));
    trial("suspended", IN_PROGRESS, draft -> draft.suspended());
  }

  private void trial(String name, String kstatus, Consumer<TrialStatusDraft> story) {
    SparkTrial trial =
        Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkTrial
            metadata: {name: t, generation: 1}
            """,
            SparkTrial.class);
    TrialStatusDraft draft = new TrialStatusDraft(trial, NOW);
    story.accept(draft);
    trial.setStatus(draft.build());
    add("trial-" + name, trial, kstatus);
  }

  private void connects() {
    connect("ready", CURRENT, "RUNNING", "Running", "Ready");
    connect("starting", IN_PROGRESS, "RUNNING", "Running", "");
    connect("waiting", IN_PROGRESS, "SUBMITTED", "ProfileNotFound", "");
    connect("restarting", IN_PROGRESS, "PENDING_RERUN", "DriverFailed", "");
    connect("suspended", IN_PROGRESS, "SUSPENDED", "Suspended", "");
    connect("misspelt", FAILED, "SUBMISSION_FAILED", "SpecInvalid", "Stalled");
    SparkConnect refused = connect();
    refused.setStatus(new ConnectStatusAssembler(refused, NOW).refused("it is somebody else's"));
    add("connect-refused", refused, FAILED);
  }

  private void connect(String name, String kstatus, String state, String reason, String condition) {
    SparkApplication application =
        Serialization.unmarshal(
            """
            metadata: {name: notebooks-server, generation: 2}
            status:
              observedGeneration: 2
              sparkApplicationId: spark-1
              applicationState: {state: %s}
              driverInfo: {podName: notebooks-server-driver, podUid: u}
              conditions:
              - {type: Ready, status: "%s", reason: %s, message: because}
              - {type: %s, status: "True", reason: %s, message: because}
            """
                .formatted(
                    state,
                    state.equals("RUNNING") ? "True" : "False",
                    reason,
                    condition.equals("Stalled") ? condition : "Pinned",
                    reason),
            SparkApplication.class);
    Pod pod =
        Serialization.unmarshal(
            """
            metadata: {name: notebooks-server-driver, uid: u}
            status: {podIP: 10.1.2.3, conditions: [{type: Ready, status: "%s"}]}
            """
                .formatted(condition.equals("Ready") ? "True" : "False"),
            Pod.class);
    SparkConnect connect = connect();
    connect.setStatus(
        new ConnectStatusAssembler(connect, NOW).following(application, Optional.of(pod)));
    add("connect-" + name, connect, kstatus);
  }

  private static SparkConnect connect() {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkConnect
        metadata: {name: notebooks, namespace: team, generation: 1}
        """,
        SparkConnect.class);
  }

  private void add(String name, HasMetadata object, String kstatus) {
    assertThat(objects.put(name, object)).isNull();
    expected.put(name, kstatus);
  }

  /** What these tools read of an object. */
  private static ObjectNode read(HasMetadata object) {
    ObjectNode all = Serialization.unmarshal(Serialization.asYaml(object), ObjectNode.class);
    all.remove("spec");
    ((ObjectNode) all.get("metadata")).retain("name", "namespace", "generation");
    ((ObjectNode) all.get("status")).retain("observedGeneration", "applicationState", "conditions");
    return all;
  }

  private static String kstatus(JsonNode object) {
    JsonNode status = object.path("status");
    if (status.has("observedGeneration")
        && status.path("observedGeneration").asLong()
            != object.at("/metadata/generation").asLong()) {
      return IN_PROGRESS;
    }
    for (JsonNode condition : status.path("conditions")) {
      if (isTrue(condition, "Reconciling")) {
        return IN_PROGRESS;
      }
      if (isTrue(condition, "Stalled")) {
        return FAILED;
      }
    }
    return ready(object).filter(ready -> !isTrue(ready, "Ready")).isPresent()
        ? IN_PROGRESS
        : CURRENT;
  }

  private static boolean isTrue(JsonNode condition, String type) {
    return condition.path("type").asText().equals(type)
        && condition.path("status").asText().equals("True");
  }

  private static Optional<JsonNode> ready(JsonNode object) {
    return object
        .at("/status/conditions")
        .valueStream()
        .filter(condition -> condition.path("type").asText().equals("Ready"))
        .findFirst();
  }

  private static String argoCd(JsonNode object) {
    boolean suspended =
        ready(object)
            .filter(ready -> ready.path("reason").asText().matches("(Trial)?Suspended"))
            .isPresent();
    return suspended ? "Suspended" : ARGO_CD.get(kstatus(object));
  }
}

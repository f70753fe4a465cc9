package io.numaspark.render.sparktrial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Study;
import io.numaspark.trial.design.Metric;
import io.numaspark.trial.design.Role;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TrialPlanTest {
  private static final String SPLIT = "executor: {nodes: 1}, ";
  private static final String TEMPLATE =
      "{type: Scala, image: i, mainClass: m, mainApplicationFile: f, nodeProfile: dual,"
          + " arguments: ['--out', '/data/{{trial}}/{{arm}}/{{round}}/{{run}}'],"
          + " sparkConf: {spark.a: '{{run}}'}, suspend: true, timeToLiveSeconds: 5,"
          + " restartPolicy: {type: Always}}";

  private static SparkTrial trial(String spec) {
    return trial(spec, TEMPLATE);
  }

  private static SparkTrial trial(String spec, String template) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkTrial
        metadata: {name: pay, namespace: default, uid: 11111111-2222-3333-4444-555555555555}
        spec:
          rounds: 7
          minimumEffectPercent: 3
          delayPercent: 20
          budgetMinutes: 240
          writes: Elsewhere
          template: %s
        """
                .formatted(template)
            + spec.indent(2),
        SparkTrial.class);
  }

  private static SparkNodeProfileSpec profile(String more) {
    return Serialization.unmarshal(
            """
            apiVersion: numaspark.io/v1alpha1
            kind: SparkNodeProfile
            metadata: {name: dual}
            spec:
              nodeSelector: {matchLabels: {pool: a}}
            """
                + more.indent(2),
            SparkNodeProfile.class)
        .getSpec();
  }

  @Test
  void controlsAreCopiesOfTheBaseline() {
    TrialPlan plan = TrialPlan.of(trial("study: Pinning"), 480);
    assertThat(plan.arms())
        .extracting(arm -> arm.arm().name() + " " + arm.arm().role())
        .containsExactly("free BASELINE", "same SAME", "delayed DELAYED", "pinned CANDIDATE");
    assertThat(plan.arm("same").variant()).isEqualTo(plan.arm("free").variant());
    assertThat(plan.arm("delayed").variant().profile())
        .isEqualTo(plan.arm("free").variant().profile());
    assertThat(plan.arm("delayed").variant().application().toString())
        .isEqualTo(
            "{\"sparkConf\":{\"spark.numaspark.trial.delayPercent\":\"20\"},\"sparkPlugin\":{\"enabled\":true}}");
    assertThat(plan.design().budget()).hasMinutes(240);
    assertThat(TrialPlan.of(trial("study: Pinning"), 60).design().budget()).hasMinutes(60);
  }

  /** Each of them has to pass the schemas of application and profile. */
  @ParameterizedTest
  @EnumSource(Study.class)
  void studiesAreConsistent(Study study) {
    SparkTrial trial = trial("study: " + study, TEMPLATE.replace("suspend:", SPLIT + "suspend:"));
    TrialPlan plan = TrialPlan.of(trial, 480);
    plan.check(trial, profile("trials: {mayChange: [pinning, executor, jvm, smt, prefetch]}"));
    assertThat(plan.arms()).filteredOn(arm -> arm.arm().role() == Role.CANDIDATE).isNotEmpty();
    assertThat(Arrays.stream(Study.values()).collect(Collectors.toSet())).contains(study);
  }

  @Test
  void sizesAreComparedOnTheSameCpus() {
    SparkTrial fixed =
        trial(
            "study: ExecutorSize",
            TEMPLATE.replace("suspend:", "executor: {instances: 4}, suspend:"));
    assertThatThrownBy(() -> TrialPlan.of(fixed, 480))
        .hasMessageStartingWith("spec.template.executor.nodes: the study ExecutorSize");
  }

  @Test
  void placeholdersAreFilledInAndTheRunIsTheTrialsOwn() {
    SparkTrial trial = trial("arms: [{name: two, application: {executor: {instances: 2}}}]");
    TrialPlan plan = TrialPlan.of(trial, 480);
    SparkApplicationSpec spec = RunSpec.application(trial, plan.arm("two"), "pay-co3-two-1", 3);
    assertThat(spec.arguments()).containsExactly("--out", "/data/pay/two/3/pay-co3-two-1");
    assertThat(spec.sparkConf()).containsEntry("spark.a", "pay-co3-two-1");
    assertThat(spec.executor().instances()).isEqualTo(2);
    assertThat(spec.restartPolicy().type().name()).isEqualTo("Never");
    assertThat(spec.start()).isEqualTo(SparkApplicationSpec.Start.AllOrNothing);
    assertThat(spec.suspend()).isNull();
    assertThat(spec.timeToLiveSeconds()).isNull();
  }

  @Test
  void podsOfExecutorsStayIfTheirTimeIsTheMetric() {
    SparkTrial time =
        trial("metric: ExecutorTime\narms: [{name: two, application: {executor: {instances: 2}}}]");
    TrialPlan plan = TrialPlan.of(time, 480);
    assertThat(plan.design().metric()).isEqualTo(Metric.EXECUTOR_TIME);
    assertThat(RunSpec.application(time, plan.arm("same"), "r", 0).executor().deleteOnTermination())
        .isFalse();
    SparkTrial duration = trial("arms: [{name: two, application: {executor: {instances: 2}}}]");
    assertThat(TrialPlan.of(duration, 480).design().metric()).isEqualTo(Metric.DURATION);
    assertThat(
            RunSpec.application(duration, TrialPlan.of(duration, 480).arm("two"), "r", 0)
                .executor()
                .deleteOnTermination())
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          arms: [{name: x}]                                                    | spec.arms[x]: changes nothing
          arms: [{name: x, application: {colour: 1}}]                          | arm x: application: spec.colour
          arms: [{name: x, application: {executor: {instances: 0}}}]           | spec.executor.instances
          arms: [{name: x, application: {nodeProfile: other}}]                 | arm x: application.nodeProfile
          arms: [{name: x, application: {arguments: null, sparkConf: null}}]   | no text has {{run}}
          metric: ExecutorTime, arms: [{name: x, application: {executor: large}}] | spec.executor
          arms: [{name: x, profile: {nodeSelector: {matchLabels: {}, a: 1}}}]  | arm x: profile.nodeSelector
          arms: [{name: x, profile: {prefetch: {mode: Enforce}}}]              | mayChange
          arms: [{name: x, profile: {trials: {namespaces: ['*']}}}]            | profile.trials
          arms: [{name: x, profile: {pinning: {mode: Sometimes}}}]             | arm x: profile: spec.pinning.mode
          arms: [{name: x, profile: {executor: {maxHeap: 90Gi}}}]              | arm x: profile: spec
          """)
  void whatContradictsItselfIsRefusedWithTheField(String spec, String message) {
    SparkTrial trial = trial(spec.replace(", arms:", "\narms:"));
    assertThatThrownBy(() -> TrialPlan.of(trial, 480).check(trial, profile("")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aProfileSaysWhatMayChange() {
    SparkTrial trial = trial("arms: [{name: x, profile: {prefetch: {mode: Enforce}}}]");
    TrialPlan plan = TrialPlan.of(trial, 480);
    plan.check(trial, profile("trials: {mayChange: [prefetch]}"));
    SparkTrial heap = trial("arms: [{name: x, profile: {executor: {maxHeap: 20Gi}}}]");
    assertThatThrownBy(
            () -> TrialPlan.of(heap, 480).check(heap, profile("trials: {mayChange: [prefetch]}")))
        .hasMessageContaining("lets trials change prefetch");
    assertThatThrownBy(
            () -> TrialPlan.of(heap, 480).check(heap, profile("trials: {mayChange: []}")))
        .hasMessageContaining("profile.executor");
  }

  @Test
  void aProfileIsPlannedWithThePatchAndKeepsTheRest() {
    SparkNodeProfileSpec given = profile("executor: {maxHeap: 20Gi, offHeap: 1Gi}");
    SparkTrial trial = trial("arms: [{name: x, profile: {executor: {maxHeap: 10Gi}}}]");
    SparkNodeProfileSpec planned =
        ProfileVariant.of(given, TrialPlan.of(trial, 480).arm("x").variant());
    assertThat(planned.executor().maxHeap()).isEqualTo("10Gi");
    assertThat(planned.executor().offHeap()).isEqualTo("1Gi");
    assertThat(planned.nodeSelector()).isEqualTo(given.nodeSelector());
    assertThat(given.executor().maxHeap()).isEqualTo("20Gi");
    assertThat(ProfileVariant.of(given, TrialPlan.of(trial, 480).arm("same").variant()))
        .isSameAs(given);
  }
}

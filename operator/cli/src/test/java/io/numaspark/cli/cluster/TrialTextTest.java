package io.numaspark.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.render.sparktrial.TrialReports;
import io.numaspark.render.trial.TrialPage;
import org.junit.jupiter.api.Test;

class TrialTextTest {
  private static SparkTrial trial(String status) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkTrial
        metadata: {name: pay, namespace: default, uid: u-1}
        spec:
          study: Pinning
          rounds: 5
          minimumEffectPercent: 3
          delayPercent: 0
          budgetMinutes: 240
          writes: Nothing
          template: {type: Scala, image: i, mainClass: m, mainApplicationFile: f, nodeProfile: dual}
        """
            + status,
        SparkTrial.class);
  }

  private static String runs() {
    StringBuilder runs = new StringBuilder();
    for (int round = 0; round < 6; round++) {
      for (String arm : new String[] {"free", "same", "pinned"}) {
        double seconds = (arm.equals("pinned") ? 90 : 100) + round * 0.1 + arm.length() * 0.05;
        runs.append(
            "  - {phase: %s, round: %d, session: 1, arm: %s, outcome: OK, seconds: %s, wallSeconds: %s}\n"
                .formatted(
                    round == 0 ? "CALIBRATION" : "CONFIRMATION",
                    Math.max(0, round - 1),
                    arm,
                    seconds,
                    seconds + 10));
      }
    }
    return runs.toString();
  }

  @Test
  void whatIsNotReadYetSaysSo() {
    assertThat(TrialText.of(trial(""))).contains("The operator has not read this trial");
  }

  @Test
  void aTrialThatRunsShowsHowFarItIs() {
    String text =
        TrialText.of(
            trial(
                """
                status:
                  phase: Confirming
                  rounds: {planned: 7, done: 3, disturbed: 1}
                  remainingMinutes: 44
                  conditions: [{type: Ready, status: "True", reason: Measuring, message: round 4 of 7}]
                  runs:
                  - {phase: CONFIRMATION, round: 2, session: 1, arm: free, outcome: OK, seconds: 5, disturbed: true, remark: other/app}
                """));
    assertThat(text)
        .isEqualTo(
            """
            Confirming: round 4 of 7
            3 of 7 rounds count, 1 were disturbed; about 44 min remain
              confirmation, round 2, free: other/app
            """);
  }

  @Test
  void theRecommendationIsACommand() {
    String text =
        TrialText.of(
            trial(
                """
                status:
                  phase: Completed
                  summary: "It pays: pinned takes 9 % less time."
                  arms: [{name: pinned, role: CANDIDATE, verdict: FASTER, reason: "91 % of the baseline's time"}]
                  recommendation:
                    arm: pinned
                    reason: 91 % of the baseline's time
                    profile: {pinning: {mode: Enforce}}
                """));
    assertThat(text)
        .startsWith("It pays: pinned takes 9 % less time.\n")
        .contains("  pinned           faster: 91 % of the baseline's time\n")
        .contains(
            "kubectl patch sparknodeprofiles.numaspark.io dual --type merge -p '{\"metadata\":{\"annotations\":{\"numaspark.io/evidence\":\"default/pay: 91 % of the baseline'\\''s time\"}},\"spec\":{\"pinning\":{\"mode\":\"Enforce\"}}}'");
  }

  @Test
  void theReportIsThatOfTheCommand() {
    String page =
        TrialPage.of(
            TrialReports.of(
                trial("status:\n  phase: Completed\n  ending: COMPLETE\n  runs:\n" + runs())));
    assertThat(page)
        .contains("SparkTrial default/pay", "It pays: pinned takes", "<svg")
        .contains("profile: {&quot;pinning&quot;", "nodes of SparkNodeProfile dual");
    assertThatThrownBy(() -> TrialReports.of(trial("status: {phase: Waiting}")))
        .hasMessage("the trial pay has not ended, it is Waiting; its status says how far it is");
  }
}

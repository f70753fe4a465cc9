package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.cli.trial.TrialSetting.Sizes;
import io.numaspark.render.profile.ProfileTranslator;
import io.numaspark.trial.design.Role;
import io.numaspark.trial.verdict.ArmResult;
import io.numaspark.trial.verdict.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecommendedProfileTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @ParameterizedTest
  @EnumSource(Study.class)
  void aProfileAdmitsWhatAStudyCanRecommend(Study study) throws IOException {
    for (LocalArm arm : study.plan(StudyTest.DUAL_SOCKET, 0.2).arms()) {
      Optional<String> yaml = profile(arm);
      if (arm.arm().role() == Role.CANDIDATE && yaml.isPresent()) {
        SparkNodeProfile profile = YAML.readValue(yaml.get(), SparkNodeProfile.class);
        assertThat(ProfileTranslator.policy(profile.getSpec()).cores().max())
            .isEqualTo(24 / arm.executors());
      }
    }
  }

  @Test
  void saysWhatWasMeasured() {
    assertThat(profile(arm(Study.BINDING, "pinned")))
        .hasValueSatisfying(
            yaml ->
                assertThat(yaml)
                    .startsWith("# Recommended by a trial: 91 % of the baseline's time.\n")
                    .contains(
                        "coresPerExecutor: {min: 1, max: 12, preferred: 12}",
                        "pinning: {memory: Bind}"));
    assertThat(profile(arm(Study.BINDING, "cpus")).orElseThrow())
        .contains("pinning: {memory: Local}");
    assertThat(profile(arm(Study.SMT, "isolated")).orElseThrow()).contains("mode: Isolated");
    assertThat(profile(arm(Study.NURSERY, "young-1-2")).orElseThrow())
        .contains("jvm: {collector: Parallel, extraOptions: [\"-XX:NewRatio=1\"]}");
  }

  @Test
  void whatAProfileCannotSayHasNone() {
    assertThat(profile(arm(Study.HEAP, "references-8"))).isEmpty();
    assertThat(profile(arm(Study.BINDING, "pinned").java("/opt/jdk"))).isEmpty();
  }

  /** 49 task slots in two executors are 48, and no thread is idle by design. */
  @Test
  void aRemainderOfTaskSlotsIsNotIsolation() {
    TrialSetting uneven =
        new TrialSetting(
            StudyTest.DUAL_SOCKET.topology(),
            "processor",
            new Sizes(98304, OptionalInt.empty(), OptionalInt.of(49), List.of()),
            true,
            List.of(),
            Optional.empty(),
            false);
    LocalArm pinned =
        Study.BINDING.plan(uneven, 0).arms().stream()
            .filter(arm -> arm.arm().name().equals("pinned"))
            .findFirst()
            .orElseThrow();
    assertThat(pinned.executors() * pinned.taskSlots()).isEqualTo(48);
    assertThat(profile(pinned, uneven).orElseThrow()).doesNotContain("Isolated");
  }

  private static LocalArm arm(Study study, String name) {
    return study.plan(StudyTest.DUAL_SOCKET, 0.2).arms().stream()
        .filter(arm -> arm.arm().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Optional<String> profile(LocalArm arm) {
    return profile(arm, StudyTest.DUAL_SOCKET);
  }

  private static Optional<String> profile(LocalArm arm, TrialSetting setting) {
    return RecommendedProfile.of(
        arm,
        setting,
        new ArmResult(
            arm.arm(),
            7,
            0,
            Optional.empty(),
            Optional.empty(),
            Verdict.FASTER,
            "91 % of the baseline's time."));
  }
}

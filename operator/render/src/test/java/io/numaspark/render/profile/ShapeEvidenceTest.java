package io.numaspark.render.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.render.fixture.Specs;
import io.numaspark.render.text.Labels;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeEvidenceTest {
  private static SparkNodeProfile profile(String spec, String evidence) {
    SparkNodeProfile profile = new SparkNodeProfile();
    profile.setMetadata(new ObjectMetaBuilder().withName("a").build());
    if (evidence != null) {
      profile.getMetadata().setAnnotations(Map.of(Labels.EVIDENCE, evidence));
    }
    profile.setSpec(Specs.profile(spec));
    return profile;
  }

  @ParameterizedTest
  @CsvSource({
    "4, '', Study: Awan et al. 2016",
    "6, '', Study: Chiba and Onodera 2015",
    "3, '', None: no study that numaspark rests on has executors of 3 cores",
    "3, 'executor: {coresPerExecutor: {preferred: 3}}', None: the spec prefers this size",
  })
  void withoutATrialItIsAStudyOrNothing(int cores, String spec, String evidence) {
    assertThat(ShapeEvidence.of(profile(spec, null), cores)).startsWith(evidence);
  }

  @Test
  void aTrialIsNamedInOneLine() {
    assertThat(ShapeEvidence.of(profile("", "team/pay: 91 % of the time\nof 2 cores"), 4))
        .isEqualTo("Trial: team/pay: 91 % of the time of 2 cores");
    assertThat(ShapeEvidence.of(profile("", "x".repeat(9999)), 4)).hasSizeLessThan(600);
    assertThat(ShapeEvidence.of(profile("", "  "), 4)).startsWith("Study");
  }
}

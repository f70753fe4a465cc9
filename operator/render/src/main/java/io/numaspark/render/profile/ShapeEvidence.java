package io.numaspark.render.profile;

import io.numaspark.api.v1alpha1.CoresPerExecutor;
import io.numaspark.api.v1alpha1.ExecutorSizing;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.OneLine;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the size of a profile's executors rests on: a trial of its own nodes, a study of other
 * machines, or nothing.
 *
 * <p>Limit: a trial is what the annotation says; nobody checks that it measured these nodes.
 */
public final class ShapeEvidence {
  private static final int LONGEST = 512;

  /** Sizes that the studies compared with others and found best. */
  private static final Map<Integer, String> STUDIES =
      Map.of(
          4,
          "Awan et al. 2016 measured six executors of 4 cores as best for K-Means on 2 x 12 Ivy Bridge cores, not pinned",
          6,
          "Chiba and Onodera 2015 measured two or four JVMs as best for queries that shuffle much on 24 POWER8 cores, which is 12 or 6 cores each");

  private ShapeEvidence() {}

  /**
   * The evidence, which begins with Trial, Study or None.
   *
   * @param cores of one executor
   */
  public static String of(SparkNodeProfile profile, int cores) {
    Optional<String> trial =
        Optional.ofNullable(profile.getMetadata().getAnnotations())
            .map(annotations -> annotations.get(Labels.EVIDENCE))
            .filter(text -> !text.isBlank());
    if (trial.isPresent()) {
      String text = OneLine.of(trial.get());
      return "Trial: " + text.substring(0, Math.min(text.length(), LONGEST));
    }
    if (STUDIES.containsKey(cores)) {
      return "Study: %s; not measured on these nodes".formatted(STUDIES.get(cores));
    }
    return "None: %s; a SparkTrial can measure it on these nodes"
        .formatted(
            Objects.equals(preferred(profile), cores)
                ? "the spec prefers this size"
                : "no study that numaspark rests on has executors of %d cores".formatted(cores));
  }

  private static Integer preferred(SparkNodeProfile profile) {
    return Optional.ofNullable(profile.getSpec().executor())
        .map(ExecutorSizing::coresPerExecutor)
        .map(CoresPerExecutor::preferred)
        .orElse(null);
  }
}

package io.numaspark.cli.trial;

import java.util.List;

/**
 * The arms of a study on this machine.
 *
 * @param arms the baseline first
 * @param omitted what the study would compare and this machine cannot, with the reason, a sentence
 *     each
 * @param published what the original study found, in its own terms, a sentence each
 */
record StudyPlan(List<LocalArm> arms, List<String> omitted, List<String> published) {
  StudyPlan {
    arms = List.copyOf(arms);
    omitted = List.copyOf(omitted);
    published = List.copyOf(published);
  }
}

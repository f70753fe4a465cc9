package io.numaspark.render.trial;

import io.numaspark.trial.engine.Run;
import io.numaspark.trial.verdict.TrialResult;
import java.util.List;
import java.util.Map;

/**
 * What the page of a trial shows.
 *
 * @param title the question of the study
 * @param command that was measured
 * @param machine a line on the machine
 * @param runs all of them, in the order in which they ran
 * @param words what each arm is, by name
 * @param omitted what was not compared, and why; sentences
 * @param published what the original study found; sentences
 * @param repeat the command that repeats this trial
 */
public record TrialReport(
    String title,
    String command,
    String machine,
    TrialResult result,
    List<Run> runs,
    Map<String, String> words,
    List<String> omitted,
    List<String> published,
    String repeat) {

  public TrialReport {
    runs = List.copyOf(runs);
    words = Map.copyOf(words);
    omitted = List.copyOf(omitted);
    published = List.copyOf(published);
  }
}

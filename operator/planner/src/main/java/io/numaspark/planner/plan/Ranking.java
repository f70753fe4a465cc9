package io.numaspark.planner.plan;

import io.numaspark.planner.plan.PlanResult.Candidate;
import io.numaspark.planner.plan.ShapePolicy.CoreRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The shapes that fit, best first, and why the first one is first.
 *
 * @param candidates best first
 * @param whyBest as a clause; empty without candidates
 * @param whyLost why each candidate is not the first, as a clause; empty for the first
 */
record Ranking(List<Candidate> candidates, String whyBest, List<String> whyLost) {

  static Ranking of(ShapeSearch search, ShapePolicy policy) {
    Objective objective = new Objective(search.allocatableCpus(), policy.priorities());
    List<Candidate> inRange = search.candidates();
    List<Candidate> ranked = new ArrayList<>(objective.ranked(inRange));
    OptionalInt wanted = policy.cores().preferred();
    if (wanted.isPresent()) {
      Optional<Candidate> preferred = search.candidate(wanted.getAsInt());
      if (preferred.isPresent()) {
        ranked.remove(preferred.get());
        ranked.add(0, preferred.get());
        String why = "%d cores are preferred".formatted(wanted.getAsInt());
        return new Ranking(ranked, "it is the preferred size", because(ranked, c -> why));
      }
    }
    if (ranked.isEmpty()) {
      return new Ranking(List.of(), "", List.of());
    }
    String why = whyBest(objective, ranked, policy.cores());
    if (wanted.isPresent()) {
      why += "; the preferred size of " + wanted.getAsInt() + " cores does not fit any NUMA node";
    }
    return new Ranking(ranked, why, because(ranked, c -> objective.whyLost(c, inRange)));
  }

  Optional<Candidate> best() {
    return candidates.stream().findFirst();
  }

  List<Candidate> runnersUp() {
    return candidates.stream().skip(1).toList();
  }

  private static String whyBest(Objective objective, List<Candidate> ranked, CoreRange range) {
    if (ranked.size() > 1) {
      return "%s instead of %s because %s"
          .formatted(
              Objective.cores(ranked.get(0)),
              Objective.cores(ranked.get(1)),
              objective.whyLost(ranked.get(1), ranked));
    }
    return range.min() == range.max()
        ? "spec.executor.coresPerExecutor allows no other size"
        : "of %d to %d cores no other size fits".formatted(range.min(), range.max());
  }

  private static List<String> because(List<Candidate> ranked, Function<Candidate, String> why) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < ranked.size(); i++) {
      texts.add(i == 0 ? "" : why.apply(ranked.get(i)));
    }
    return texts;
  }
}

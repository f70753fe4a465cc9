package io.numaspark.trial.engine;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.TrialDesign;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The runs of a trial by round.
 *
 * <p>A round counts as a whole or not at all: it is complete if one session ran all of its arms. Of
 * two sessions that completed a round, the first counts. A run whose {@link
 * io.numaspark.trial.design.Metric} is not known is invalid.
 */
public final class Rounds {
  private final TrialDesign design;
  private final Map<RoundId, Map<Integer, Map<String, Run>>> runs = new LinkedHashMap<>();

  /**
   * @param journal in any order; runs of unknown arms are left out
   */
  public Rounds(TrialDesign design, List<Run> journal) {
    this.design = design;
    Set<String> known = design.arms().stream().map(Arm::name).collect(Collectors.toSet());
    for (Run run : journal) {
      if (known.contains(run.arm())) {
        runs.computeIfAbsent(run.round(), round -> new LinkedHashMap<>())
            .computeIfAbsent(run.session(), session -> new LinkedHashMap<>())
            .putIfAbsent(run.arm(), run.comparedBy(design.metric()));
      }
    }
  }

  /** The runs of a round by arm, if one session ran all of these arms. */
  Optional<Map<String, Run>> complete(RoundId round, Collection<Arm> arms) {
    List<String> names = arms.stream().map(Arm::name).toList();
    return runs.getOrDefault(round, Map.of()).values().stream()
        .filter(session -> session.keySet().containsAll(names))
        .findFirst();
  }

  boolean hasBegun(Phase phase) {
    return runs.keySet().stream().anyMatch(round -> round.phase() == phase);
  }

  /** What this session has run of a round so far. */
  Set<String> begun(RoundId round, int session) {
    return runs.getOrDefault(round, Map.of()).getOrDefault(session, Map.of()).keySet();
  }

  /** The complete rounds of a phase in order, up to the first that is not. */
  public List<Map<String, Run>> complete(Phase phase, Collection<Arm> arms) {
    List<Map<String, Run>> complete = new ArrayList<>();
    RoundId round = new RoundId(phase, 0);
    Optional<Map<String, Run>> found = complete(round, arms);
    while (found.isPresent()) {
      complete.add(found.get());
      round = round.next();
      found = complete(round, arms);
    }
    return complete;
  }

  /** Rounds that count: complete, with a baseline, and nothing else used the machine. */
  public List<Map<String, Run>> counted() {
    return complete(Phase.CONFIRMATION, confirmed()).stream()
        .filter(round -> round.get(design.baseline().name()).isOk() && !isDisturbed(round))
        .toList();
  }

  /** Rounds of the confirmation that do not count because something else used the machine. */
  public int disturbed() {
    return (int)
        complete(Phase.CONFIRMATION, confirmed()).stream().filter(Rounds::isDisturbed).count();
  }

  private static boolean isDisturbed(Map<String, Run> round) {
    return round.values().stream().anyMatch(Run::disturbed);
  }

  /** The arms that are measured in the rounds that count. */
  public List<Arm> confirmed() {
    return Screening.survivors(design, this);
  }

  /** All runs of the calibration, complete or not, and whichever session made them. */
  public List<Run> calibration() {
    return runs.getOrDefault(new RoundId(Phase.CALIBRATION, 0), Map.of()).values().stream()
        .flatMap(session -> session.values().stream())
        .toList();
  }

  /** Seconds that a run of an arm takes, by all of its runs so far; 0 if there is none. */
  double usualSeconds(Arm arm) {
    return runs.values().stream()
        .flatMap(round -> round.values().stream())
        .flatMap(session -> session.values().stream())
        .filter(run -> run.arm().equals(arm.name()))
        .mapToDouble(Run::seconds)
        .average()
        .orElse(0);
  }
}

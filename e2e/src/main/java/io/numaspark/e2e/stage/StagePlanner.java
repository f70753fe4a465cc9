package io.numaspark.e2e.stage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Decides which stages of the end-to-end tests run in the time that there is, and in which order.
 *
 * <p>The first stage of the table always runs. The others are in parts, and the part to begin with
 * depends on the rotation, a number that grows with each commit; then others are taken as long as
 * they fit. What is taken runs in the order of the table, lab by lab.
 *
 * <p>Limit: it uses the JDK alone, because e2e/run.sh starts it from this file.
 */
public final class StagePlanner {
  /** What it takes to start a lab and to install into it, with two idle CPUs. */
  static final int LAB_SECONDS = 130;

  /** The lab of a stage that needs none. */
  static final String NO_LAB = "none";

  /** The lab of a stage that starts its own: its seconds count the start. */
  static final String OWN_LAB = "own";

  /**
   * A prime number, so that all parts have their turn whether landings are 1, 2, 3, 5 or 8 commits
   * apart.
   */
  private static final int PARTS = 13;

  private StagePlanner() {}

  /** A row of e2e/stages.txt. */
  record Stage(String name, String lab, int seconds, String command) {}

  /**
   * What a run can still spend.
   *
   * @param seconds until the run has to end
   * @param slowness time that stages took so far, in percent of their usual time; at least 100
   */
  record Budget(double seconds, int slowness) {
    static final Budget UNLIMITED = new Budget(Double.POSITIVE_INFINITY, 100);

    boolean allows(int usualSeconds) {
      return usualSeconds * (slowness / 100.0) <= seconds;
    }
  }

  /**
   * What happens to the stages of a run that have not run yet.
   *
   * @param run in this order
   * @param leftOut for lack of time
   */
  record Plan(List<Stage> run, List<Stage> leftOut) {}

  /** Reads the table; refuses a row that is incomplete and a name that occurs twice. */
  static List<Stage> read(Path file) throws IOException {
    List<Stage> stages = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String line : Files.readAllLines(file)) {
      String[] cells = line.strip().split("\\s+", 4);
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (cells.length < 4 || !cells[2].matches("[1-9][0-9]{0,4}") || !names.add(cells[0])) {
        throw new IllegalArgumentException(
            file + ": needs a name of its own, lab, seconds and command: " + line);
      }
      stages.add(new Stage(cells[0], cells[1], Integer.parseInt(cells[2]), cells[3]));
    }
    return stages;
  }

  /**
   * Plans what remains of a run.
   *
   * @param stages the whole table
   * @param wanted which of them have not run yet
   * @param lab the lab that runs now; {@link #NO_LAB} if none does
   */
  static Plan plan(
      List<Stage> stages, Predicate<Stage> wanted, String lab, Budget budget, int rotation) {
    Stage first = stages.get(0);
    Set<Stage> taken = new HashSet<>();
    for (Stage stage : byPriority(stages, rotation)) {
      if (wanted.test(stage)) {
        taken.add(stage);
        if (stage != first && !budget.allows(usualSeconds(taken, lab))) {
          taken.remove(stage);
        }
      }
    }
    List<String> labs =
        Stream.concat(
                Stream.of(taken.contains(first) ? first.lab() : lab)
                    .filter(up -> !up.equals(NO_LAB)),
                stages.stream().map(Stage::lab))
            .distinct()
            .toList();
    return new Plan(
        stages.stream()
            .filter(taken::contains)
            .sorted(Comparator.comparing(stage -> labs.indexOf(stage.lab())))
            .toList(),
        stages.stream().filter(wanted).filter(stage -> !taken.contains(stage)).toList());
  }

  /**
   * The first stage, then the part of the table whose turn it is, then what follows that part. A
   * part that does not fit begins with another of its stages after each round of all parts.
   */
  private static List<Stage> byPriority(List<Stage> stages, int rotation) {
    List<List<Stage>> parts = parts(stages.subList(1, stages.size()));
    List<Stage> order = new ArrayList<>(stages.subList(0, 1));
    for (int i = 0; i < parts.size(); i++) {
      List<Stage> part = new ArrayList<>(parts.get(Math.floorMod(rotation + i, parts.size())));
      if (i == 0) {
        Collections.rotate(part, -Math.floorDiv(rotation, parts.size()));
      }
      order.addAll(part);
    }
    return order;
  }

  /** The table in parts that take about the same time. */
  private static List<List<Stage>> parts(List<Stage> stages) {
    double length = Math.max(1, stages.stream().mapToInt(Stage::seconds).sum()) / (double) PARTS;
    List<List<Stage>> parts = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      parts.add(new ArrayList<>());
    }
    int begin = 0;
    for (Stage stage : stages) {
      // By its middle, so that a long one does not drag others along.
      int part = (int) ((begin + stage.seconds() / 2.0) / length);
      parts.get(Math.min(part, PARTS - 1)).add(stage);
      begin += stage.seconds();
    }
    parts.removeIf(List::isEmpty);
    return parts;
  }

  /** Each lab but the one that runs is started once. */
  static int usualSeconds(Set<Stage> stages, String lab) {
    long labs =
        stages.stream()
            .map(Stage::lab)
            .distinct()
            .filter(name -> !List.of(lab, NO_LAB, OWN_LAB).contains(name))
            .count();
    return stages.stream().mapToInt(Stage::seconds).sum() + (int) labs * LAB_SECONDS;
  }

  /**
   * Prints the plan, a line for each stage: {@code run} or {@code leave}, name, lab, seconds and
   * command with tabs between them.
   *
   * @param arguments the table, seconds or {@code -}, slowness in percent, rotation, the lab that
   *     runs, names of stages that have run with commas between them, and those to choose from, or
   *     {@code -} for all
   */
  public static void main(String[] arguments) throws IOException {
    List<Stage> stages = read(Path.of(arguments[0]));
    Budget budget =
        arguments[1].equals("-")
            ? Budget.UNLIMITED
            : new Budget(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    Set<String> done = Set.copyOf(List.of(arguments[5].split(",")));
    Set<String> chosen = Set.copyOf(List.of(arguments[6].split(",")));
    Plan plan =
        plan(
            stages,
            stage ->
                !done.contains(stage.name())
                    && (chosen.contains("-") || chosen.contains(stage.name())),
            arguments[4],
            budget,
            Integer.parseInt(arguments[3]));
    plan.run().forEach(stage -> print("run", stage));
    plan.leftOut().forEach(stage -> print("leave", stage));
  }

  private static void print(String decision, Stage stage) {
    System.out.println(
        String.join(
            "\t",
            decision,
            stage.name(),
            stage.lab(),
            String.valueOf(stage.seconds()),
            stage.command()));
  }
}

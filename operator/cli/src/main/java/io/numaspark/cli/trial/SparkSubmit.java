package io.numaspark.cli.trial;

import io.numaspark.cli.text.InputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A user's {@code spark-submit} command line, taken apart as Spark's own SparkSubmitOptionParser
 * does: options, then the application's file, then its arguments.
 *
 * @param program spark-submit, or a path of it
 * @param options what stays of the user's own
 * @param application the file and its arguments
 * @param replaced options and properties that the trial sets instead
 */
record SparkSubmit(
    String program, List<String> options, List<String> application, List<String> replaced) {

  private static final Set<String> SWITCHES =
      Set.of("--help", "-h", "--supervise", "--usage-error", "--verbose", "-v", "--version");

  /** Options that say where and with how much the application runs: what a trial varies. */
  private static final Set<String> OURS =
      Set.of(
          "--master",
          "--deploy-mode",
          "--executor-cores",
          "--executor-memory",
          "--num-executors",
          "--total-executor-cores");

  /** Properties for the same, and those by which the number of executors would change. */
  private static final Set<String> OUR_PROPERTIES =
      Set.of(
          "spark.master",
          "spark.submit.deployMode",
          "spark.executor.cores",
          "spark.executor.memory",
          "spark.executor.instances",
          "spark.cores.max",
          "spark.dynamicAllocation.enabled",
          "spark.executorEnv.JAVA_HOME");

  /**
   * @throws InputException if it is not a command line of spark-submit, or names no application
   */
  static SparkSubmit parse(List<String> command) {
    if (command.isEmpty() || !command.get(0).matches("(.*/)?spark-submit")) {
      throw new InputException(
          "after -- give the command that runs the application: spark-submit [OPTION...] FILE [ARGUMENT...]");
    }
    List<String> options = new ArrayList<>();
    List<String> replaced = new ArrayList<>();
    int i = 1;
    while (i < command.size() && command.get(i).startsWith("-")) {
      String option = command.get(i);
      int equals = option.startsWith("--") ? option.indexOf('=') : -1;
      String name = equals < 0 ? option : option.substring(0, equals);
      boolean single = equals >= 0 || SWITCHES.contains(option);
      if (!single && i + 1 == command.size()) {
        throw new InputException("spark-submit's option " + option + " has no value");
      }
      String value = single ? option.substring(equals + 1) : command.get(i + 1);
      if (isOurs(name, value)) {
        replaced.add(name.equals("--conf") || name.equals("-c") ? value : name + " " + value);
      } else {
        options.addAll(command.subList(i, single ? i + 1 : i + 2));
      }
      i += single ? 1 : 2;
    }
    if (i == command.size()) {
      throw new InputException(
          "the spark-submit command names no application: a jar or a .py file");
    }
    return new SparkSubmit(
        command.get(0),
        List.copyOf(options),
        List.copyOf(command.subList(i, command.size())),
        List.copyOf(replaced));
  }

  private static boolean isOurs(String name, String value) {
    boolean property = name.equals("--conf") || name.equals("-c");
    return OURS.contains(name) || (property && isOurs(value.split("=", 2)[0]));
  }

  private static boolean isOurs(String property) {
    return OUR_PROPERTIES.contains(property) || property.startsWith("spark.eventLog.");
  }

  /**
   * The properties that an arm needs, and which the user may not set otherwise.
   *
   * @param javaHome of executors
   * @param events folder for Spark's event log, which is the only file in it afterwards
   */
  static SortedMap<String, String> properties(
      LocalArm arm, int heapMebibytes, Path javaHome, Path events) {
    int heapOfOne = heapMebibytes / arm.executors();
    SortedMap<String, String> properties = new TreeMap<>(arm.properties());
    // Room for the worker's own count of off-heap memory, which is not heap.
    properties.put(
        "spark.master",
        "local-cluster[%d,%d,%d]"
            .formatted(arm.executors(), arm.taskSlots(), 2 * heapOfOne + 1024));
    properties.put("spark.executor.cores", Integer.toString(arm.taskSlots()));
    properties.put("spark.cores.max", Integer.toString(arm.executors() * arm.taskSlots()));
    properties.put("spark.executor.memory", heapOfOne + "m");
    properties.put("spark.dynamicAllocation.enabled", "false");
    properties.put("spark.executorEnv.JAVA_HOME", javaHome.toString());
    properties.put("spark.eventLog.enabled", "true");
    properties.put("spark.eventLog.dir", events.toUri().toString());
    properties.put("spark.eventLog.rolling.enabled", "false");
    properties.put("spark.eventLog.compress", "false");
    return properties;
  }

  /**
   * The command of one run.
   *
   * @param program the spark-submit to run
   * @param names values of the placeholders {@code {{arm}}}, {@code {{round}}} and {@code {{run}}}
   */
  List<String> command(
      String program, SortedMap<String, String> properties, Map<String, String> names) {
    List<String> command = new ArrayList<>();
    command.add(program);
    options.forEach(option -> command.add(filled(option, names)));
    properties.forEach(
        (key, value) -> {
          command.add("--conf");
          command.add(key + "=" + value);
        });
    application.forEach(argument -> command.add(filled(argument, names)));
    return command;
  }

  /** Whether each run can write somewhere else. */
  boolean hasPlaceholder() {
    return Stream.concat(options.stream(), application.stream())
        .anyMatch(text -> text.contains("{{run}}"));
  }

  private static String filled(String text, Map<String, String> names) {
    String filled = text;
    for (Map.Entry<String, String> name : names.entrySet()) {
      filled = filled.replace("{{" + name.getKey() + "}}", name.getValue());
    }
    return filled;
  }
}

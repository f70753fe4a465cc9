package io.numaspark.cli.trial;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Role;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An arm as this machine runs it.
 *
 * @param what it is, in words, for the report
 * @param executors of one application
 * @param taskSlots of one executor
 * @param properties of Spark that this arm sets
 * @param jvmOptions of executors, before all others
 * @param javaHome of executors; null for that of the application
 * @param slowdown share of time by which the arm is slowed on purpose; 0 for not at all
 */
record LocalArm(
    Arm arm,
    String what,
    int executors,
    int taskSlots,
    Binding binding,
    SortedMap<String, String> properties,
    String jvmOptions,
    String javaHome,
    double slowdown) {

  LocalArm {
    properties = new TreeMap<>(properties);
  }

  static LocalArm baseline(String name, String what, int executors, int taskSlots) {
    return new LocalArm(
        new Arm(name, Role.BASELINE),
        what,
        executors,
        taskSlots,
        Binding.FREE,
        new TreeMap<>(),
        "",
        null,
        0);
  }

  /** The same under another name. */
  LocalArm as(Arm other, String words) {
    return new LocalArm(
        other, words, executors, taskSlots, binding, properties, jvmOptions, javaHome, slowdown);
  }

  LocalArm bound(Binding other) {
    return new LocalArm(
        arm, what, executors, taskSlots, other, properties, jvmOptions, javaHome, slowdown);
  }

  LocalArm executors(int count, int slots) {
    return new LocalArm(
        arm, what, count, slots, binding, properties, jvmOptions, javaHome, slowdown);
  }

  LocalArm with(Map<String, String> more) {
    SortedMap<String, String> all = new TreeMap<>(properties);
    all.putAll(more);
    return new LocalArm(
        arm, what, executors, taskSlots, binding, all, jvmOptions, javaHome, slowdown);
  }

  LocalArm jvm(String options) {
    return new LocalArm(
        arm, what, executors, taskSlots, binding, properties, options, javaHome, slowdown);
  }

  LocalArm java(String home) {
    return new LocalArm(
        arm, what, executors, taskSlots, binding, properties, jvmOptions, home, slowdown);
  }

  LocalArm slowedBy(double share) {
    return new LocalArm(
        arm, what, executors, taskSlots, binding, properties, jvmOptions, javaHome, share);
  }
}

package io.numaspark.cli.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A folder that Spark takes for a JDK: its {@code bin/java} binds itself to the share of its
 * executor, notes its process id, and becomes the real java.
 *
 * <p>Spark's launcher takes {@code JAVA_HOME} from the executor's environment
 * (AbstractCommandBuilder), so the application needs no change.
 */
final class JavaWrapper {
  private static final String SCRIPT =
      """
      #!/bin/sh
      # Written by numaspark trial. Binds an executor of Spark, and becomes it.
      executor=
      previous=
      for argument in "$@"; do
        [ "$previous" != --executor-id ] || executor=$argument
        previous=$argument
      done
      case $executor in
        '' | *[!0-9]*) exec %1$s "$@" ;;
      esac
      echo $$ > %2$s/"$executor"
      case $((executor %% %3$d)) in
      %4$s
      esac
      """;

  private JavaWrapper() {}

  /**
   * @param folder of this run
   * @param java the real one
   * @param shares one for each executor; empty if the arm is free
   * @return the folder for {@code JAVA_HOME}
   */
  static Path write(
      Path folder, Path java, LocalArm arm, List<CoreShare> shares, CoreShares machine)
      throws IOException {
    Path pids = Files.createDirectories(pids(folder));
    StringBuilder cases = new StringBuilder();
    for (int i = 0; i < arm.executors(); i++) {
      String bind = arm.binding().setsCpus() ? bind(arm.binding(), shares.get(i), machine) : "";
      // The kernel's count of CPUs must not reach the JVM: free and bound executors size their
      // pools alike, by their share of the machine.
      cases.append(
          "  %d) exec %s%s -XX:ActiveProcessorCount=%d %s \"$@\" ;;%n"
              .formatted(i, bind, quoted(java), processors(arm, machine), arm.jvmOptions()));
    }
    Path home = folder.resolve("java");
    Files.createDirectories(home.resolve("bin"));
    Path script = home.resolve("bin/java");
    Files.writeString(
        script,
        SCRIPT.formatted(
            quoted(java), quoted(pids), arm.executors(), cases.toString().stripTrailing()));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return home;
  }

  /** As many as task slots; with more slots than CPUs the executor's part of the CPUs. */
  private static int processors(LocalArm arm, CoreShares machine) {
    return Math.min(arm.taskSlots(), Math.max(1, machine.threads() / arm.executors()));
  }

  /** Where executors note their process ids: a file each, named by the executor's id. */
  static Path pids(Path folder) {
    return folder.resolve("executors");
  }

  private static String bind(Binding binding, CoreShare share, CoreShares machine) {
    if (!binding.setsMemory()) {
      return "taskset --cpu-list " + share.cpus() + " ";
    }
    int node =
        binding == Binding.REMOTE_MEMORY ? machine.opposite(share.numaNode()) : share.numaNode();
    return "numactl --physcpubind=%s --membind=%d ".formatted(share.cpus(), node);
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }
}

package io.numaspark.sparkbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A driver and its executors, which are its children. Limit: what a process did that has ended is
 * lost.
 */
record ProcessTree(ProcessHandle root) {

  /** USER_HZ; the kernel's interface fixes it to 100 on all platforms that Spark runs on. */
  private static final double TICKS_A_SECOND = 100;

  private static final Pattern PSS = Pattern.compile("^Pss:\\s+(\\d+) kB", Pattern.MULTILINE);

  double cpuSeconds() {
    return all().mapToDouble(ProcessTree::cpuSeconds).sum();
  }

  /** Proportional set size, MiB. */
  double memoryMebibytes() {
    return all().mapToDouble(ProcessTree::memoryMebibytes).sum();
  }

  /** Ends all, the children too. */
  void kill() {
    List<ProcessHandle> processes = all().toList();
    processes.forEach(ProcessHandle::destroyForcibly);
  }

  private Stream<ProcessHandle> all() {
    return Stream.concat(Stream.of(root), root.descendants());
  }

  private static double cpuSeconds(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      // The command, in parentheses, may have spaces; utime and stime are the 12th and 13th field
      // after it.
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_A_SECOND;
    } catch (IOException e) {
      return 0; // it has just ended
    }
  }

  private static double memoryMebibytes(ProcessHandle process) {
    try {
      Matcher pss =
          PSS.matcher(Files.readString(Path.of("/proc/" + process.pid() + "/smaps_rollup")));
      return pss.find() ? Long.parseLong(pss.group(1)) / 1024.0 : 0;
    } catch (IOException e) {
      return 0; // it has just ended, or is not ours to look into
    }
  }
}

package numaspark.facts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** A made-up machine for tests: the kernel's files under a folder. */
final class FakeMachine {
  private final Path root;

  FakeMachine(Path root) {
    this.root = root;
  }

  Roots roots() {
    return new Roots(root.resolve("self"), root.resolve("system"), root.resolve("cgroups"));
  }

  /** CPUs of node 0 first, then those of node 1, and so on. */
  FakeMachine nodes(int nodes, int cpusEach) {
    for (int cpu = 0; cpu < nodes * cpusEach; cpu++) {
      folder("system/cpu/cpu" + cpu + "/node" + cpu / cpusEach);
    }
    write("system/cpu/online", "0-" + (nodes * cpusEach - 1) + "\n");
    return write("system/node/has_memory", "0-" + (nodes - 1) + "\n");
  }

  FakeMachine allowed(String cpus, String memoryNodes) {
    return write(
        "self/status",
        "Name:\tjava\nCpus_allowed:\tff\nCpus_allowed_list:\t"
            + cpus
            + "\nMems_allowed:\t1\nMems_allowed_list:\t"
            + memoryNodes
            + "\nvoluntary_ctxt_switches:\t1\n");
  }

  FakeMachine thread(int id, long runningNanos, long waitingNanos) {
    return write("self/task/" + id + "/schedstat", runningNanos + " " + waitingNanos + " 7\n");
  }

  FakeMachine threads(int count, long runningNanos, long waitingNanos) {
    IntStream.range(0, count).forEach(id -> thread(id, runningNanos, waitingNanos));
    return this;
  }

  FakeMachine write(String name, String text) {
    try {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FakeMachine folder(String name) {
    try {
      Files.createDirectories(root.resolve(name));
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A JVM whose clocks a test sets. */
  static final class FakeJvm implements Jvm {
    long nanoTime;
    long cpuNanos;
    long gcPauseMillis;

    @Override
    public long nanoTime() {
      return nanoTime;
    }

    @Override
    public long cpuNanos() {
      return cpuNanos;
    }

    @Override
    public long gcPauseMillis() {
      return gcPauseMillis;
    }
  }
}

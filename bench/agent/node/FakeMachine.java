import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.UUID;

/**
 * A full node as files: two sockets with 28 cores of two threads each, Intel Xeon of the 4th generation, and the cgroups of 110
 * pods, which is as many as a kubelet takes unless told otherwise, 24 of them executors with two cores each.
 */
final class FakeMachine {
  static final int SOCKETS = 2;
  static final int CORES = 56;
  static final int THREADS = 2 * CORES;
  static final int PODS = 110;
  static final int EXECUTORS = 24;

  /** The first core of each socket is reserved. */
  private static final int CORES_OF_A_SOCKET = CORES / SOCKETS;

  private final Path root;
  private final Path cgroups;

  private FakeMachine(Path root, Path cgroups) {
    this.root = root;
    this.cgroups = cgroups;
  }

  /** Writes all files below these two folders. */
  static void write(Path root, Path cgroups) throws IOException {
    FakeMachine machine = new FakeMachine(root, cgroups);
    machine.kernel();
    machine.processors();
    for (int node = 0; node < SOCKETS; node++) {
      machine.numaNode(node);
    }
    machine.pods();
  }

  /** The CPUs of an executor: two cores with their threads. */
  static BitSet executorCpus(int executor) {
    int ofSocket = EXECUTORS / SOCKETS;
    int core = executor / ofSocket * CORES_OF_A_SOCKET + 1 + executor % ofSocket * 2;
    BitSet cpus = new BitSet();
    cpus.set(core, core + 2);
    cpus.set(core + CORES, core + CORES + 2);
    return cpus;
  }

  /** The CPUs that the kubelet may give to containers. */
  static BitSet allocatable() {
    BitSet cpus = new BitSet();
    cpus.set(0, THREADS);
    for (int socket = 0; socket < SOCKETS; socket++) {
      cpus.clear(socket * CORES_OF_A_SOCKET);
      cpus.clear(socket * CORES_OF_A_SOCKET + CORES);
    }
    return cpus;
  }

  private static BitSet sharedPool() {
    BitSet cpus = new BitSet();
    cpus.set(0, THREADS);
    for (int executor = 0; executor < EXECUTORS; executor++) {
      cpus.andNot(executorCpus(executor));
    }
    return cpus;
  }

  private void kernel() {
    text("proc/sys/kernel/arch", "x86_64");
    text("proc/sys/kernel/osrelease", "6.1.0");
    text("proc/sys/kernel/random/boot_id", "11111111-1111-1111-1111-111111111111");
    text("proc/sys/kernel/numa_balancing", "1");
    text("proc/sys/vm/zone_reclaim_mode", "0");
    text("proc/sys/vm/swappiness", "60");
    text("sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
    text("sys/class/dmi/id/sys_vendor", "Example");
    text("sys/devices/system/cpu/online", "0-" + (THREADS - 1));
    text("sys/devices/system/cpu/present", "0-" + (THREADS - 1));
    text("sys/devices/system/cpu/possible", "0-" + (THREADS - 1));
    text("sys/devices/system/cpu/smt/control", "on");
    // As long as that of such a machine, of which only the first processor is read.
    StringBuilder cpuinfo = new StringBuilder();
    for (int cpu = 0; cpu < THREADS; cpu++) {
      cpuinfo.append("processor\t: ").append(cpu).append("\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n")
          .append("model name\t: Intel(R) Xeon(R) Platinum\nflags\t\t: fpu msr ht lm constant_tsc").append(" flag".repeat(200)).append("\n\n");
    }
    text("proc/cpuinfo", cpuinfo.toString());
  }

  private void processors() throws IOException {
    for (int cpu = 0; cpu < THREADS; cpu++) {
      int core = cpu % CORES;
      int socket = core / CORES_OF_A_SOCKET;
      String folder = "sys/devices/system/cpu/cpu" + cpu + "/";
      text(folder + "topology/physical_package_id", String.valueOf(socket));
      text(folder + "topology/thread_siblings_list", core + "," + (core + CORES));
      text(folder + "topology/core_cpus_list", core + "," + (core + CORES));
      text(folder + "cache/index3/level", "3");
      text(folder + "cache/index3/type", "Unified");
      text(folder + "cache/index3/shared_cpu_list", list(ofSocket(socket)));
      registers(cpu, core);
    }
  }

  /** The position in the file is the number of a register; the threads of a core share its registers. */
  private void registers(int cpu, int core) throws IOException {
    Path file = root.resolve("dev/cpu/" + cpu + "/msr");
    Files.createDirectories(file.getParent());
    if (cpu != core) {
      Files.createLink(file, root.resolve("dev/cpu/" + core + "/msr"));
      return;
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long register : new long[] {0x6D, 0x1A4}) {
        channel.write(ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN), register);
      }
    }
  }

  private static BitSet ofSocket(int socket) {
    BitSet cpus = new BitSet();
    cpus.set(socket * CORES_OF_A_SOCKET, (socket + 1) * CORES_OF_A_SOCKET);
    cpus.set(CORES + socket * CORES_OF_A_SOCKET, CORES + (socket + 1) * CORES_OF_A_SOCKET);
    return cpus;
  }

  private void numaNode(int node) {
    String folder = "sys/devices/system/node/node" + node + "/";
    text(folder + "cpulist", list(ofSocket(node)));
    text(folder + "distance", node == 0 ? "10 21" : "21 10");
    text(folder + "meminfo", "Node " + node + " MemTotal:       263921664 kB");
    text(folder + "hugepages/hugepages-2048kB/nr_hugepages", "0");
    text(folder + "hugepages/hugepages-1048576kB/nr_hugepages", "0");
  }

  private void pods() {
    cgroup("", "cgroup.controllers", "cpuset cpu io memory pids");
    cgroup("system.slice/containerd.service/", "cgroup.procs", "1");
    cgroup("kubepods.slice/", "cpuset.cpus", "");
    for (int pod = 0; pod < PODS; pod++) {
      String qos = pod < EXECUTORS ? "" : pod % 2 == 0 ? "-burstable" : "-besteffort";
      String parent = "kubepods.slice/" + (qos.isEmpty() ? "" : "kubepods" + qos + ".slice/");
      String uid = new UUID(0x0b5aabb11c2d4e3fL, 0x8000000000000000L + pod).toString().replace('-', '_');
      String folder = parent + "kubepods" + qos + "-pod" + uid + ".slice/";
      container(folder, 2 * pod, "", 0);
      BitSet cpus = pod < EXECUTORS ? executorCpus(pod) : sharedPool();
      container(folder, 2 * pod + 1, list(cpus), pod < EXECUTORS / SOCKETS ? 0 : 1);
    }
  }

  private void container(String pod, int number, String cpus, int node) {
    String folder = pod + "cri-containerd-" + String.format("%064x", 0xabcdef00L + number) + ".scope/";
    cgroup(folder, "cgroup.procs", "4711");
    cgroup(folder, "cpuset.cpus", cpus);
    cgroup(folder, "cpuset.cpus.effective", cpus.isEmpty() ? "0-" + (THREADS - 1) : cpus);
    cgroup(folder, "cpuset.mems.effective", String.valueOf(node));
    cgroup(folder, "memory.numa_stat", "anon N" + node + "=900000000 N" + (1 - node) + "=100000\nfile N0=5 N1=7\nanon_thp N0=0 N1=0");
    cgroup(folder, "cpu.stat", "usage_usec 5\nuser_usec 4\nsystem_usec 1\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0");
  }

  /** As the kernel writes CPUs: ranges. */
  static String list(BitSet cpus) {
    StringBuilder text = new StringBuilder();
    for (int from = cpus.nextSetBit(0); from >= 0; from = cpus.nextSetBit(cpus.nextClearBit(from))) {
      int to = cpus.nextClearBit(from) - 1;
      text.append(text.isEmpty() ? "" : ",").append(from).append(to == from ? "" : "-" + to);
    }
    return text.toString();
  }

  private void cgroup(String folder, String file, String text) {
    write(cgroups.resolve(folder + file), text);
  }

  private void text(String file, String text) {
    write(root.resolve(file), text);
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

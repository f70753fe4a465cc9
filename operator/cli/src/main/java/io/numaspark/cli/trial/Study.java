package io.numaspark.cli.trial;

import io.numaspark.trial.design.Arm;
import io.numaspark.trial.design.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** The experiments of the studies, as far as processes of one machine can repeat them. */
enum Study {
  BINDING("Executors bound to CPUs and memory of one NUMA node, or not", Study::binding),
  EXECUTORS("The same cores and memory in one executor or in several", Study::executors),
  SMT("One task on a core, or one on each of its threads", Study::smt),
  HEAP("Object references of 4 bytes or of 8", Study::heap),
  NURSERY("How much of the heap is for young objects", Study::nursery),
  JDK("Other JDKs, and compact object headers", Study::jdk),
  PREFETCH("Prefetchers on or off", Study::prefetch),
  SHUFFLE("Shuffle through files, or through memory pages", Study::shuffle),
  ADAPTIVE("All task slots, or as many as the plugin finds useful", Study::adaptive);

  private static final String PLUGIN = "numaspark.plugin.NumasparkPlugin";

  private final String title;
  private final BiConsumer<TrialSetting, Draft> arms;

  Study(String title, BiConsumer<TrialSetting, Draft> arms) {
    this.title = title;
    this.arms = arms;
  }

  String title() {
    return title;
  }

  /** Arms and controls on this machine. */
  StudyPlan plan(TrialSetting setting, double slowdown) {
    Draft draft = new Draft();
    arms.accept(setting, draft);
    LocalArm baseline = draft.arms.get(0);
    draft.arms.add(
        1, baseline.as(new Arm("same", Role.SAME), "the baseline again: must not differ"));
    if (slowdown > 0) {
      draft.arms.add(
          2,
          baseline
              .as(
                  new Arm("delayed", Role.DELAYED),
                  "the baseline, stopped %.0f %% longer on purpose: must look slower"
                      .formatted(slowdown * 100))
              .slowedBy(slowdown));
    }
    return new StudyPlan(draft.arms, draft.omitted, draft.published);
  }

  /** Collects arms while a study looks at the machine. */
  private static final class Draft {
    private final List<LocalArm> arms = new ArrayList<>();
    private final List<String> omitted = new ArrayList<>();
    private final List<String> published = new ArrayList<>();

    LocalArm baseline(LocalArm arm) {
      arms.add(arm);
      return arm;
    }

    /** A candidate that differs from the baseline in so many settings. */
    void candidate(LocalArm like, String name, String what, int changes) {
      arms.add(like.as(new Arm(name, Role.CANDIDATE, changes), what));
    }

    void omit(String sentence) {
      omitted.add(sentence);
    }

    void published(String sentence) {
      published.add(sentence);
    }
  }

  /** Two executors or one a NUMA node: enough for the kernel to mix them up. */
  private static int usualExecutors(TrialSetting setting) {
    CoreShares shares = setting.shares();
    int wanted = Math.max(2, shares.numaNodes());
    return shares.of(wanted).isPresent() ? wanted : 1;
  }

  private static LocalArm usual(TrialSetting setting, String name, String what) {
    int executors = usualExecutors(setting);
    return LocalArm.baseline(name, what, executors, Math.max(1, setting.taskSlots() / executors));
  }

  private static void binding(TrialSetting setting, Draft draft) {
    LocalArm free = draft.baseline(usual(setting, "free", "executors are not bound"));
    draft.candidate(
        free.bound(Binding.CPUS), "cpus", "executors are bound to CPUs, memory by first touch", 1);
    if (setting.shares().numaNodes() < 2) {
      draft.omit("This machine has one NUMA node, so no memory is remote.");
    } else if (!setting.numactl()) {
      draft.omit("Memory can be bound with numactl only, which is not installed.");
    } else {
      draft.candidate(
          free.bound(Binding.CPUS_AND_MEMORY),
          "pinned",
          "executors are bound to CPUs and memory of their NUMA node",
          1);
      draft.arms.add(
          free.bound(Binding.REMOTE_MEMORY)
              .as(new Arm("remote", Role.REMOTE), "memory of the opposite NUMA node on purpose"));
    }
    draft.published(
        "Awan et al. 2016 (2 x 12 Ivy Bridge cores): all memory local took 10 % less than all memory remote on average, 2 to 3 %"
            + " for SQL, over 20 % for GraphX. That is an upper bound: unbound executors have a part of their memory local.");
    draft.published(
        "Chiba and Onodera 2015 (POWER8): numactl gained 2 to 3 % with four JVMs. Chiba, Horii and Onodera: 10 to 15 % with eight."
            + " They disagree.");
  }

  private static void executors(TrialSetting setting, Draft draft) {
    draft.baseline(LocalArm.baseline("executors-1", "one executor", 1, setting.taskSlots()));
    List<Integer> uneven = new ArrayList<>();
    List<Integer> tooLittleHeap = new ArrayList<>();
    for (int count : setting.sizes().executors()) {
      if (!setting.divides(count)) {
        uneven.add(count);
      } else if (!setting.hasHeapFor(count)) {
        tooLittleHeap.add(count);
      } else {
        draft.candidate(
            draft.arms.get(0).executors(count, setting.taskSlots() / count),
            "executors-" + count,
            count + " executors, together the same cores and heap",
            count - 1);
      }
    }
    if (!uneven.isEmpty()) {
      draft.omit(
          setting.sizes().taskSlots().isPresent()
              ? "%d task slots cannot be divided by %s."
                  .formatted(setting.taskSlots(), listed(uneven))
              : "%d cores cannot be divided by %s."
                  .formatted(setting.shares().cores(), listed(uneven)));
    }
    if (!tooLittleHeap.isEmpty()) {
      draft.omit(
          "With %s executors each would have less than %d MiB of heap: give more --heap."
              .formatted(listed(tooLittleHeap), TrialSetting.LEAST_EXECUTOR_MEBIBYTES));
    }
    draft.published(
        "Awan et al. 2016: K-Means 29 % better with two executors instead of one and 36 % with six of 4 cores; the executors were"
            + " not bound, and most of the gain was less garbage collection.");
    draft.published(
        "Chiba and Onodera 2015: two or four JVMs were best for shuffle-heavy queries, eight worse; some queries liked fewer.");
  }

  private static String listed(List<Integer> numbers) {
    return numbers.stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", "))
        .replaceFirst(", (\\d+)$", " or $1");
  }

  private static void smt(TrialSetting setting, Draft draft) {
    LocalArm shared = draft.baseline(usual(setting, "shared", "a task on each hardware thread"));
    int threadsPerCore = setting.topology().threadsPerCore();
    if (threadsPerCore < 2) {
      draft.omit("This machine has one hardware thread per core, or SMT is off.");
    } else {
      draft.candidate(
          shared.executors(shared.executors(), shared.taskSlots() / threadsPerCore),
          "isolated",
          "one task per core, the other threads idle",
          1);
    }
    draft.published(
        "Awan et al. 2016: two tasks on two cores with two threads each ran up to 39.5 % faster with hyper-threading on.");
  }

  private static void heap(TrialSetting setting, Draft draft) {
    LocalArm compressed =
        draft.baseline(usual(setting, "references-4", "object references of 4 bytes"));
    draft.candidate(
        compressed.jvm("-XX:-UseCompressedOops"),
        "references-8",
        "object references of 8 bytes, as in every heap above the limit",
        1);
    draft.published("Awan et al. 2016, section 4.5, advises executors of at most 32 GB.");
  }

  private static void nursery(TrialSetting setting, Draft draft) {
    LocalArm third =
        draft.baseline(
            usual(setting, "young-1-3", "a third of the heap is young").jvm(parallel(2)));
    draft.candidate(third.jvm(parallel(1)), "young-1-2", "half of the heap is young", 1);
    draft.candidate(third.jvm(parallel(3)), "young-1-4", "a quarter of the heap is young", 1);
    draft.published(
        "Chiba and Onodera 2015: half of the heap young instead of a quarter took 30 to 40 % less time in shuffle-heavy queries.");
  }

  private static String parallel(int newRatio) {
    return "-XX:+UseParallelGC -XX:NewRatio=" + newRatio;
  }

  private static void jdk(TrialSetting setting, Draft draft) {
    LocalArm own = draft.baseline(usual(setting, "own-jdk", "the JDK of the application"));
    int number = 1;
    for (String home : setting.javaHomes()) {
      draft.candidate(own.java(home), "jdk-" + number, "executors run with " + home, 1);
      draft.candidate(
          own.java(home).jvm("-XX:+UseCompactObjectHeaders"),
          "jdk-" + number + "-compact",
          "the same with compact object headers, which JDK 25 has",
          2);
      number++;
    }
    if (setting.javaHomes().isEmpty()) {
      draft.omit("No other JDK was given: name some with --jdk DIR.");
    }
  }

  /** Registers of the processor are the agent's to write, which puts them back whatever happens. */
  private static void prefetch(TrialSetting setting, Draft draft) {
    draft.baseline(usual(setting, "as-it-is", "the prefetchers as they are"));
    draft.omit(
        "Only numaspark's agent switches prefetchers, on nodes of a cluster: see docs/knobs.md.");
    draft.published(
        "Awan et al. 2016: without the next-line prefetcher of the L1 cache 7.9 % less time on average.");
  }

  private static void shuffle(TrialSetting setting, Draft draft) {
    // Pods have an address each, so that Spark never reads the files of a neighbour by itself.
    LocalArm files =
        draft.baseline(
            usual(setting, "files", "shuffle through files")
                .with(Map.of("spark.shuffle.readHostLocalDisk", "false")));
    plugin(setting, draft)
        .ifPresent(
            jar ->
                draft.candidate(
                    files.with(
                        Map.of(
                            "spark.plugins", PLUGIN,
                            "spark.jars", jar,
                            "spark.executor.extraClassPath", jar,
                            "spark.driver.extraClassPath", jar,
                            "spark.shuffle.manager", "numaspark.shuffle.PagesShuffleManager",
                            "spark.memory.offHeap.size",
                                setting.heapMebibytes() / files.executors() / 2 + "m")),
                    "pages",
                    "shuffle through memory pages",
                    1));
    draft.published(
        "Pu et al. (one x1.32xlarge): 27 of 33 queries of TPC-DS faster, the median of these by 31 %.");
  }

  private static void adaptive(TrialSetting setting, Draft draft) {
    LocalArm all = draft.baseline(usual(setting, "all-slots", "all task slots, always"));
    plugin(setting, draft)
        .ifPresent(
            jar ->
                draft.candidate(
                    all.with(
                        Map.of(
                            "spark.plugins", PLUGIN,
                            "spark.jars", jar,
                            "spark.executor.extraClassPath", jar,
                            "spark.driver.extraClassPath", jar,
                            "spark.numaspark.adaptive.mode", "dynamic")),
                    "adaptive",
                    "as many tasks at once as the plugin finds useful",
                    1));
    draft.published(
        "Omranian Khorasani et al. 2019 (hard disks, 4 nodes of 32 threads): Terasort 34 %, PageRank 54 % less time; on"
            + " solid-state drives Terasort 17 %.");
  }

  private static Optional<String> plugin(TrialSetting setting, Draft draft) {
    if (setting.plugin().isEmpty()) {
      draft.omit("The Spark plugin's jar is not known: name it with --plugin-jar FILE.");
    }
    return setting.plugin();
  }
}

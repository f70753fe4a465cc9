package io.numaspark.planner.jvm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with JVM options that people give for executors.
 *
 * <p>An option is refused if the JVM would not start with it, or if it would take back what the
 * plan rests on (the heap's size, compressed pointers, one collector thread a core); it is only
 * remarked on if it has no effect.
 *
 * <p>Limit: options that are not named here pass; whether a JVM knows an option at all is not
 * checked.
 */
public final class JvmOptionRules {
  private static final Pattern GC_THREADS =
      Pattern.compile("(-XX:ParallelGCThreads=|-XX:ConcGCThreads=|-Xgcthreads)(.*)");
  private static final Pattern NURSERY =
      Pattern.compile("(-Xmn|-XX:NewSize=|-XX:MaxNewSize=)([^sx].*|)");
  private static final Pattern HEAP_SIZE =
      Pattern.compile("-Xm[xs][0-9].*|-XX:(Max|Initial)HeapSize=.*");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([kKmMgGtT]?)");
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,9}");
  private static final String PROCESSORS = "-XX:ActiveProcessorCount=";

  /** Options of OpenJ9 with which HotSpot does not start. */
  private static final Pattern OPENJ9_ONLY =
      Pattern.compile(
          "-X(gcpolicy|gcthreads|gc:|lockReservation|dump|trace|tune|jit|aggressive|quickstart"
              + "|shareclasses|scmx|nolaa|nocompact|compactgc|compactexplicitgc"
              + "|disableexplicitgc|enableexplicitgc|compressedrefs|nocompressedrefs|mns|mnx).*"
              + "|-XX:[+-]TransparentHugePage");

  /**
   * Options of HotSpot that OpenJ9 ignores, as it does with every -XX option that it does not know.
   */
  private static final Pattern HOTSPOT_ONLY =
      Pattern.compile(
          "-XX:[+-]Use\\w+GC|-XX:[+-]UseNUMA|-XX:[+-]UseTransparentHugePages|-XX:G1.*"
              + "|-XX:[+-]UseCompressedOops|-XX:[+-]UseCompactObjectHeaders"
              + "|-XX:[+-]ExplicitGCInvokesConcurrent|-XX:InitiatingHeapOccupancyPercent=.*"
              + "|-XX:(NewRatio|NewSize|MaxNewSize|SurvivorRatio)=.*");

  private JvmOptionRules() {}

  /**
   * An objection to one option.
   *
   * @param refused whether the option is not accepted, or only remarked on
   * @param why what it would do
   * @param remedy what to do instead
   */
  public record Objection(String option, boolean refused, String why, String remedy) {

    /** The objection in one line. */
    public String message() {
      return option + ": " + why + "; " + remedy;
    }
  }

  /**
   * The objections to options, in their order.
   *
   * @param options one option each, as the JVM takes them
   * @param policy of the profile, for the vendor
   * @param cpus processors of the executor, or of the largest that may come
   * @param heapBytes heap of the executor, or the largest that may come
   */
  public static List<Objection> check(
      List<String> options, JvmPolicy policy, ExecutorCpus cpus, long heapBytes) {
    List<Objection> objections = new ArrayList<>();
    for (String option : options) {
      ofVendor(option, policy.vendor())
          .or(() -> ofHeap(option, heapBytes))
          .or(() -> ofPointers(option))
          .or(() -> ofProcessors(option, cpus))
          .or(() -> ofCollection(option, cpus))
          .or(() -> ofSpark(option))
          .ifPresent(objections::add);
    }
    List<String> collectors = options.stream().filter(Collector::isChosenBy).distinct().toList();
    if (collectors.size() > 1) {
      objections.add(
          refuse(
              String.join(" ", collectors),
              "two collectors cannot run at once, the JVM does not start",
              "keep one of them"));
    }
    return List.copyOf(objections);
  }

  private static Optional<Objection> ofVendor(String option, Vendor vendor) {
    if (vendor == Vendor.HOTSPOT && OPENJ9_ONLY.matcher(option).matches()) {
      return Optional.of(
          refuse(
              option,
              "is an option of OpenJ9, HotSpot does not start with it",
              "remove it, or set spec.jvm.vendor: OpenJ9 in the profile if the image has OpenJ9"));
    }
    if (vendor == Vendor.OPENJ9 && HOTSPOT_ONLY.matcher(option).matches()) {
      return Optional.of(
          refuse(
              option,
              "is an option of HotSpot, OpenJ9 ignores it",
              "remove it, or set spec.jvm.vendor: HotSpot in the profile if the image has"
                  + " HotSpot"));
    }
    return Optional.empty();
  }

  private static Optional<Objection> ofHeap(String option, long heapBytes) {
    if (HEAP_SIZE.matcher(option).matches()) {
      return Optional.of(
          refuse(
              option,
              "Spark sets the initial and the largest heap to spark.executor.memory, which follows"
                  + " from the profile",
              "remove it, and set spec.executor.maxHeap of the profile"));
    }
    if (option.matches("-Xmn[sx].*")) {
      return Optional.of(
          refuse(
              option,
              "OpenJ9 does not start with it and -Xmn, which numaspark sets",
              "write -Xmn, which sets both"));
    }
    Matcher nursery = NURSERY.matcher(option);
    if (!nursery.matches()) {
      return Optional.empty();
    }
    OptionalLong bytes = bytes(nursery.group(2));
    if (bytes.isEmpty()) {
      return Optional.of(
          refuse(option, "has no size that a JVM reads", "write for example -Xmn4g"));
    }
    if (bytes.getAsLong() < ExecutorMemory.MIB || bytes.getAsLong() >= heapBytes) {
      return Optional.of(
          refuse(
              option,
              "a nursery must be smaller than the heap of "
                  + heapBytes / ExecutorMemory.MIB
                  + " MiB, and 1 MiB or more",
              "write for example -Xmn" + heapBytes / 2 / ExecutorMemory.MIB + "m, half of it"));
    }
    return Optional.empty();
  }

  private static Optional<Objection> ofPointers(String option) {
    if (option.equals("-XX:-UseCompressedOops") || option.equals("-Xnocompressedrefs")) {
      return Optional.of(
          refuse(
              option,
              "every object pointer would take 8 bytes instead of 4",
              "remove it; the JVM does so itself above the limit"));
    }
    if (option.startsWith("-XX:ObjectAlignmentInBytes=")) {
      return Optional.of(
          refuse(
              option,
              "the heap's limit depends on it",
              "remove it, and set spec.jvm.objectAlignment: 16 in the profile if heaps above 30Gi"
                  + " are wanted"));
    }
    return Optional.empty();
  }

  private static Optional<Objection> ofProcessors(String option, ExecutorCpus cpus) {
    Matcher threads = GC_THREADS.matcher(option);
    if (threads.matches() && isNotWithin(threads.group(2), cpus.cores())) {
      return Optional.of(
          refuse(
              option,
              "an executor has "
                  + cpus.cores()
                  + " cores: too many collector threads contend for them (Chiba and Onodera"
                  + " 2015, section IV.A)",
              "write 1 to " + cpus.cores() + ", or remove it"));
    }
    if (option.startsWith(PROCESSORS)) {
      String count = option.substring(PROCESSORS.length());
      if (isNotWithin(count, cpus.cpus())) {
        return Optional.of(
            refuse(
                option,
                "an executor is pinned to "
                    + cpus.cpus()
                    + " CPUs: the JVM would start threads for CPUs that it does not have",
                "remove it, the JVM sees the CPUs that it is pinned to"));
      }
      return Optional.of(
          remark(
              option,
              "the JVM sees the CPUs that it is pinned to by itself",
              "remove it unless it should use fewer"));
    }
    if (option.equals("-XX:+UseNUMA")) {
      return Optional.of(
          remark(
              option,
              "has no effect in a JVM that is pinned to one NUMA node: HotSpot switches it off",
              "remove it"));
    }
    return Optional.empty();
  }

  private static Optional<Objection> ofCollection(String option, ExecutorCpus cpus) {
    return switch (option) {
      case "-XX:+DisableExplicitGC", "-Xdisableexplicitgc" ->
          Optional.of(
              refuse(
                  option,
                  "System.gc is what frees direct buffers when they run out, so that shuffles end in"
                      + " OutOfMemoryError: Cannot reserve direct buffer memory",
                  "remove it; -XX:+ExplicitGCInvokesConcurrent makes System.gc cheap with G1"));
      case "-XX:+UseConcMarkSweepGC" ->
          Optional.of(refuse(option, "JDK 14 removed this collector", "choose G1"));
      case "-XX:+UseSerialGC" ->
          cpus.cores() < 2
              ? Optional.empty()
              : Optional.of(
                  remark(
                      option,
                      "collects with one thread while " + cpus.cores() + " cores wait",
                      "choose -XX:+UseParallelGC"));
      default -> Optional.empty();
    };
  }

  /** SparkConf.validateSettings refuses it in the driver, after the pod has started. */
  private static Optional<Objection> ofSpark(String option) {
    return option.startsWith("-Dspark.")
        ? Optional.of(
            refuse(
                option,
                "Spark refuses its own properties among JVM options, and the driver fails",
                "write it into spec.sparkConf"))
        : Optional.empty();
  }

  private static boolean isNotWithin(String count, int most) {
    return !COUNT.matcher(count).matches()
        || Integer.parseInt(count) < 1
        || Integer.parseInt(count) > most;
  }

  private static OptionalLong bytes(String size) {
    Matcher matcher = SIZE.matcher(size);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    int shift =
        switch (matcher.group(2)) {
          case "k", "K" -> 10;
          case "m", "M" -> 20;
          case "g", "G" -> 30;
          case "t", "T" -> 40;
          default -> 0;
        };
    long number = Long.parseLong(matcher.group(1));
    return OptionalLong.of(number > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : number << shift);
  }

  private static Objection refuse(String option, String why, String remedy) {
    return new Objection(option, true, why, remedy);
  }

  private static Objection remark(String option, String why, String remedy) {
    return new Objection(option, false, why, remedy);
  }
}

package io.numaspark.agent.proof;

import static io.numaspark.agent.proof.CgroupTree.OTHER_UID;
import static io.numaspark.agent.proof.CgroupTree.UID;
import static io.numaspark.agent.proof.CgroupTree.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.numaspark.agent.kubelet.PodResources;
import io.numaspark.agent.proof.KernelUsage.QuotaCounters;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.topology.CpuSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Two NUMA nodes of 16 CPUs each; CPUs 0 and 16 are reserved. */
class ProofTest {
  private static Instant now = Instant.EPOCH;

  /** Readings far enough apart that a contradiction in two of them is one. */
  private static Instant later() {
    now = now.plus(Proof.DOUBT);
    return now;
  }

  @Test
  void aContradictionCountsOnlyAfterItHasLasted() {
    List<PodResources> given = List.of(given("a", "1-3"));
    Proof first = Proof.start().next(NODE, given, List.of(), now);
    Proof soon = first.next(NODE, given, List.of(), now.plusSeconds(2));
    assertThat(soon.exclusive()).isEmpty();
    assertThat(lines(soon.next(NODE, given, List.of(), now.plus(Proof.DOUBT))))
        .containsExactly("a 1-3 null null");
  }

  private static final String THIRD_UID = "99999999-2222-3333-4444-555555555555";

  private static final NodeCpus NODE =
      new NodeCpus(
          CpuSet.range(0, 31),
          CpuSet.parse("1-15,17-31"),
          Map.of(0, CpuSet.range(0, 15), 1, CpuSet.range(16, 31)));

  private static PodResources given(String pod, String cpus) {
    return new PodResources("spark", pod, "main", CpuSet.parse(cpus), CpuSet.EMPTY);
  }

  private static KernelContainer running(String uid, int number, String cpus) {
    return running(uid, number, cpus, new QuotaCounters(0, 0));
  }

  private static KernelContainer running(
      String uid, int number, String cpus, QuotaCounters counters) {
    KernelUsage usage =
        new KernelUsage(
            CpuSet.parse(cpus),
            CpuSet.of(0, 1),
            Map.of(0, 3L << 20, 1, 1L << 20),
            Optional.of(counters));
    return new KernelContainer(uid, id(number), CpuSet.parse(cpus), Optional.of(usage));
  }

  private static Proof readings(
      int count, List<PodResources> given, List<KernelContainer> running) {
    Proof proof = Proof.start();
    for (int i = 0; i < count; i++) {
      proof = proof.next(NODE, given, running, later());
    }
    return proof;
  }

  /** Pod, kubelet's CPUs, number of the container, kernel's CPUs: what a reader looks at first. */
  private static List<String> lines(Proof proof) {
    return proof.exclusive().stream()
        .map(
            entry ->
                entry.pod()
                    + " "
                    + entry.cpus()
                    + " "
                    + (entry.containerId() == null ? null : number(entry.containerId()))
                    + " "
                    + entry.kernelCpus())
        .toList();
  }

  private static int number(String containerId) {
    return (int) (Long.parseLong(containerId, 16) - 0xabcdef00L);
  }

  static Stream<Arguments> nodes() {
    return Stream.of(
        arguments("nothing at all", List.of(), List.of(), List.of(), List.of()),
        arguments(
            "two pinned containers and the pool",
            List.of(given("b", "1-3"), given("a", "17-19")),
            List.of(
                running(UID, 1, "17-19"),
                running(OTHER_UID, 2, "1-3"),
                running(THIRD_UID, 3, "0,4-16,20-31"),
                running(THIRD_UID, 4, "")),
            List.of("a 17-19 1 17-19", "b 1-3 2 1-3"),
            List.of("a 17-19 1 17-19", "b 1-3 2 1-3")),
        arguments(
            "a pool without the reserved CPUs (strict-cpu-reservation)",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "1-3"), running(THIRD_UID, 2, "4-15,17-31")),
            List.of("a 1-3 1 1-3"),
            List.of("a 1-3 1 1-3")),
        arguments(
            "a container that does not run yet, or is gone",
            List.of(given("a", "1-3")),
            List.of(running(THIRD_UID, 2, "0,4-31")),
            List.of(),
            List.of("a 1-3 null null")),
        arguments(
            "a pod that the kubelet did not know yet",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "1-3"), running(OTHER_UID, 2, "4-5")),
            List.of("a 1-3 1 1-3"),
            List.of("a 1-3 1 1-3", "null null 2 4-5")),
        arguments(
            "CPUs that somebody else has set",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "1-6"), running(THIRD_UID, 2, "0,4-31")),
            List.of(),
            List.of("a 1-3 1 1-6")),
        arguments(
            "CPUs that somebody else has set to others",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "8-9"), running(THIRD_UID, 2, "0,4-31")),
            List.of(),
            List.of("a 1-3 null null", "null null 1 8-9")),
        arguments(
            "an init container with some of the CPUs of the container that follows",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "1"), running(THIRD_UID, 2, "0,4-31")),
            List.of("a 1-3 1 1"),
            List.of("a 1-3 1 1")),
        arguments(
            "an init container with all of them",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "1-3"), running(UID, 2, "1-3")),
            List.of("a 1-3 1 1-3"),
            List.of("a 1-3 1 1-3")),
        arguments(
            "an init container with others, which the pool lacks too",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "8-9"), running(THIRD_UID, 2, "0,4-7,10-31")),
            List.of(),
            List.of("a 1-3 null null")),
        arguments(
            "an old pool, before the kubelet's next reconciliation",
            List.of(given("a", "1-3")),
            List.of(
                running(UID, 1, "1-3"),
                running(THIRD_UID, 2, "0-31"),
                running(THIRD_UID, 3, "0,4-31")),
            List.of("a 1-3 1 1-3"),
            List.of("a 1-3 1 1-3", "null null 2 0-31")),
        arguments(
            "one set that two containers were given",
            List.of(given("a", "1-3"), given("b", "1-3")),
            List.of(running(UID, 1, "1-3"), running(OTHER_UID, 2, "1-3")),
            List.of(),
            List.of("a 1-3 null null", "b 1-3 null null", "null null 2 1-3", "null null 1 1-3")),
        arguments(
            "one set that two pods have",
            List.of(given("a", "1-3")),
            List.of(running(UID, 1, "1-3"), running(OTHER_UID, 2, "1-3")),
            List.of(),
            List.of("a 1-3 null null", "null null 1 1-3", "null null 2 1-3")),
        arguments(
            "memory of its own, but no CPUs",
            List.of(new PodResources("spark", "a", "main", CpuSet.EMPTY, CpuSet.of(0))),
            List.of(running(UID, 1, "0-31")),
            List.of("a null null null"),
            List.of("a null null null")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("nodes")
  void joins(
      String name,
      List<PodResources> given,
      List<KernelContainer> running,
      List<String> firstReading,
      List<String> secondReading) {
    assertThat(lines(readings(1, given, running))).isEqualTo(firstReading);
    assertThat(lines(readings(2, given, running)))
        .containsExactlyInAnyOrderElementsOf(secondReading);
    assertThat(readings(3, given, running).exclusive())
        .isEqualTo(readings(2, given, running).exclusive());
  }

  @Test
  void saysEverythingOfAPinnedContainer() {
    PodResources given =
        new PodResources("spark", "pi-exec-1", "main", CpuSet.parse("1-3"), CpuSet.of(0));
    List<KernelContainer> first = List.of(running(UID, 1, "1-3", new QuotaCounters(1000, 50)));
    List<KernelContainer> second = List.of(running(UID, 1, "1-3", new QuotaCounters(1200, 100)));
    Proof proof =
        Proof.start()
            .next(NODE, List.of(given), first, later())
            .next(NODE, List.of(given), second, later());
    assertThat(proof.exclusive())
        .containsExactly(
            new ExclusiveContainer(
                "spark", "pi-exec-1", "main", UID, id(1), "1-3", "0", "1-3", "0-1", 75, 25));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          all on its own node        | 1-3   | 4194304 | 0       | 100
          one page on another        | 1-3   | 4190208 | 4096    | 99
          all on another             | 1-3   | 0       | 4194304 | 0
          CPUs of two nodes          | 15-16 | 4194304 | 4194304 | 100
          less than 1 MiB            | 1-3   | 1048575 | 0       |
          exactly 1 MiB              | 1-3   | 1048576 | 0       | 100
          """)
  void countsLocalMemory(String name, String cpus, long node0, long node1, Integer percent) {
    KernelUsage usage =
        new KernelUsage(
            CpuSet.parse(cpus), CpuSet.of(0, 1), Map.of(0, node0, 1, node1), Optional.empty());
    KernelContainer container =
        new KernelContainer(UID, id(1), CpuSet.parse(cpus), Optional.of(usage));
    assertThat(readings(1, List.of(given("a", cpus)), List.of(container)).exclusive())
        .singleElement()
        .extracting(ExclusiveContainer::localMemoryPercent)
        .isEqualTo(percent);
  }

  private static Proof throttled(Proof proof, int container, long periods, long throttled) {
    KernelContainer running = running(UID, container, "1-3", new QuotaCounters(periods, throttled));
    return proof.next(NODE, List.of(given("a", "1-3")), List.of(running), later());
  }

  private static Integer throttledPercent(Proof proof) {
    return proof.exclusive().get(0).throttledPercent();
  }

  @Test
  void countsThrottlingSinceTheLastWrite() {
    Proof first = throttled(Proof.start(), 1, 1000, 900);
    assertThat(throttledPercent(first)).isNull();
    Proof second = throttled(first, 1, 1100, 910);
    assertThat(throttledPercent(second)).isEqualTo(10);
    Proof third = throttled(second, 1, 1200, 960);
    assertThat(throttledPercent(third)).isEqualTo(30);
    Proof afterWrite = throttled(third.written(), 1, 1300, 960);
    assertThat(throttledPercent(afterWrite)).isEqualTo(0);
    assertThat(throttledPercent(throttled(afterWrite.written(), 1, 1300, 960))).isEqualTo(0);
  }

  @Test
  void anotherContainerStartsItsOwnCounters() {
    Proof first = throttled(Proof.start(), 1, 1000, 0);
    Proof restarted = throttled(first, 2, 10, 10);
    assertThat(throttledPercent(restarted)).isNull();
    assertThat(throttledPercent(throttled(restarted, 2, 20, 20))).isEqualTo(100);
    assertThat(throttledPercent(throttled(restarted, 1, 1000, 0))).isNull();
  }

  @Test
  void countersThatRunBackwardsGiveNoPercentage() {
    Proof first = throttled(Proof.start(), 1, 1000, 100);
    assertThat(throttledPercent(throttled(first, 1, 900, 100))).isNull();
    assertThat(throttledPercent(throttled(first, 1, 1100, 50))).isNull();
    assertThat(throttledPercent(throttled(first, 1, 1001, 102))).isNull();
  }

  @Test
  void aContainerThatRestartsStaysUntilTwoReadingsMissIt() {
    List<PodResources> given = List.of(given("a", "1-3"));
    Proof pinned = readings(1, given, List.of(running(UID, 1, "1-3")));
    Proof missedOnce = pinned.next(NODE, given, List.of(), later());
    assertThat(lines(missedOnce)).containsExactly("a 1-3 1 1-3");
    assertThat(lines(missedOnce.next(NODE, given, List.of(), later())))
        .containsExactly("a 1-3 null null");
    assertThat(lines(missedOnce.next(NODE, given, List.of(running(UID, 2, "1-3")), later())))
        .containsExactly("a 1-3 2 1-3");
  }

  @Test
  void aPodThatTheKubeletNoLongerListsIsGoneAtOnce() {
    Proof pinned = readings(1, List.of(given("a", "1-3")), List.of(running(UID, 1, "1-3")));
    assertThat(pinned.next(NODE, List.of(), List.of(), later()).exclusive()).isEmpty();
    Proof stillInTheKernel = pinned.next(NODE, List.of(), List.of(running(UID, 1, "1-3")), later());
    assertThat(stillInTheKernel.exclusive()).isEmpty();
  }

  @Test
  void aPodOfTheSameNameWithOtherCpusDoesNotInheritAnything() {
    Proof pinned = readings(1, List.of(given("a", "1-3")), List.of(running(UID, 1, "1-3")));
    assertThat(pinned.next(NODE, List.of(given("a", "4-6")), List.of(), later()).exclusive())
        .isEmpty();
  }

  @Test
  void contradictionsThatDifferFromReadingToReadingAreNotReported() {
    List<PodResources> given = List.of(given("a", "1-3"));
    Proof proof = readings(1, given, List.of(running(UID, 1, "1-4")));
    proof = proof.next(NODE, given, List.of(running(UID, 1, "1-5")), later());
    assertThat(proof.exclusive()).isEmpty();
    proof = proof.next(NODE, given, List.of(running(UID, 1, "1-5")), later());
    assertThat(lines(proof)).containsExactly("a 1-3 1 1-5");
  }

  @Test
  void keepsNoMoreThanTheStatusMayHave() {
    List<PodResources> given = new ArrayList<>();
    for (int i = 0; i < Proof.LIMIT + 5; i++) {
      given.add(given(String.format("pod-%04d", i), String.valueOf(i)));
    }
    Proof proof = readings(2, given, List.of());
    assertThat(proof.exclusive()).hasSize(Proof.LIMIT);
    assertThat(proof.exclusive().get(Proof.LIMIT - 1).pod()).isEqualTo("pod-1023");
    assertThat(proof.omitted()).isEqualTo(5);
    assertThat(readings(1, List.of(), List.of()).omitted()).isZero();
  }
}

package io.numaspark.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.planner.topology.CpuSet;
import java.net.ProtocolException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodResourcesDecoderTest {

  static ProtoBytes memory(long... nodes) {
    ProtoBytes topology = new ProtoBytes();
    for (long node : nodes) {
      topology.message(1, node == 0 ? new ProtoBytes() : new ProtoBytes().number(1, node));
    }
    return new ProtoBytes().text(1, "memory").number(2, 20L << 30).message(3, topology);
  }

  static ProtoBytes pod(String namespace, String name, ProtoBytes... containers) {
    ProtoBytes pod = new ProtoBytes().text(1, name).text(2, namespace);
    for (ProtoBytes container : containers) {
      pod.message(3, container);
    }
    return pod;
  }

  static ProtoBytes container(String name, long... cpus) {
    return new ProtoBytes().text(1, name).packed(3, cpus);
  }

  @Test
  void keepsContainersWithSomethingOfTheirOwn() throws ProtocolException {
    ProtoBytes response =
        new ProtoBytes()
            .message(
                1,
                pod("spark", "exec", container("main", 17, 1, 3, 2), new ProtoBytes().text(1, "b")))
            .message(1, pod("apps", "fraction", container("main").message(4, memory(1, 0))))
            .message(1, pod("apps", "shared", container("main")));

    assertThat(PodResourcesDecoder.list(response.done()))
        .containsExactly(
            new PodResources("apps", "fraction", "main", CpuSet.EMPTY, CpuSet.of(0, 1)),
            new PodResources("spark", "exec", "main", CpuSet.parse("1-3,17"), CpuSet.EMPTY));
  }

  /** Each takes a hundred times as much memory here as on the way. */
  @Test
  void refusesMoreContainersThanANodeCouldHave() {
    ProtoBytes response = new ProtoBytes();
    for (int i = 0; i < 4097; i++) {
      response.message(1, pod("n", "p" + i, container("c", 8191)));
    }
    assertThatThrownBy(() -> PodResourcesDecoder.list(response.done()))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("more than 4096 containers");
  }

  /** Two bytes each on the way: the answer is small enough, and what is made of it must be too. */
  @Test
  void forgetsContainersWithoutAnythingAtOnce() throws ProtocolException {
    ProtoBytes[] containers = new ProtoBytes[10_000];
    Arrays.fill(containers, new ProtoBytes());
    containers[7] = container("main", 3);
    ProtoBytes response = new ProtoBytes().message(1, pod("n", "p", containers));
    assertThat(PodResourcesDecoder.list(response.done()))
        .containsExactly(new PodResources("n", "p", "main", CpuSet.of(3), CpuSet.EMPTY));
  }

  @Test
  void joinsTheNodesOfMemoryAndOfHugePages() throws ProtocolException {
    ProtoBytes container = container("main", 4).message(4, memory(0)).message(4, memory(1));
    ProtoBytes response = new ProtoBytes().message(1, pod("spark", "exec", container));
    assertThat(PodResourcesDecoder.list(response.done()))
        .singleElement()
        .extracting(PodResources::memoryNodes)
        .isEqualTo(CpuSet.of(0, 1));
  }

  @Test
  void readsNumbersThatAreNotPackedAndSkipsWhatItDoesNotKnow() throws ProtocolException {
    ProtoBytes container =
        new ProtoBytes()
            .number(3, 5)
            .number(99, Long.MIN_VALUE) // varint
            .raw(0x99, 0x06, 1, 2, 3, 4, 5, 6, 7, 8) // field 99, 64 bits
            .text(99, "text")
            .raw(0x9d, 0x06, 1, 2, 3, 4) // field 99, 32 bits
            .number(3, 4)
            .text(1, "main");
    ProtoBytes response =
        new ProtoBytes().text(77, "new").message(1, pod("n", "p", container).number(50, 1));
    assertThat(PodResourcesDecoder.list(response.done()))
        .containsExactly(new PodResources("n", "p", "main", CpuSet.of(4, 5), CpuSet.EMPTY));
  }

  @Test
  void anEmptyAnswerIsANodeWithoutExclusiveContainers() throws ProtocolException {
    assertThat(PodResourcesDecoder.list(new byte[0])).isEmpty();
    assertThat(PodResourcesDecoder.allocatableCpus(new byte[0])).isEqualTo(CpuSet.EMPTY);
  }

  @Test
  void readsAllocatableCpus() throws ProtocolException {
    ProtoBytes response = new ProtoBytes().packed(2, 3, 1, 2).message(3, memory(0)).packed(2, 9);
    assertThat(PodResourcesDecoder.allocatableCpus(response.done()))
        .isEqualTo(CpuSet.parse("1-3,9"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a CPU that Linux does not have | 12 02 80 40          | id 8192, outside of 0-8191
          a negative CPU | 12 0a ff ff ff ff ff ff ff ff ff 01  | id -1, outside of 0-8191
          eleven bytes of a number | 10 ff ff ff ff ff ff ff ff ff ff 01 | more than 64 bits
          a number that is cut off       | 12 01 80             | in the middle of a number
          a field that is cut off        | 12 05 01             | in the middle of field 2
          a length of 2^64-1 | 12 ff ff ff ff ff ff ff ff ff 01 | in the middle of field 2
          64 bits that are cut off       | 99 06 01             | in the middle of field 99
          a group, as proto2 has them    | 13                   | field 2 of the kubelet's answer has wire type 3
          CPUs of 32 bits                | 15 01 00 00 00       | field 2 of the kubelet's answer has wire type 5
          an unknown field's group       | 9b 06                | field 99 of the kubelet's answer has wire type 3
          """)
  void refuses(String what, String hex, String message) {
    byte[] response = HexFormat.of().parseHex(hex.replace(" ", ""));
    assertThatThrownBy(() -> PodResourcesDecoder.allocatableCpus(response))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining(message);
  }

  @Test
  void bytesHoweverBrokenGiveAnAnswerOrAProtocolException() {
    Random random = new Random(20260301);
    byte[] good =
        new ProtoBytes()
            .message(1, pod("n", "p", container("main", 1, 2).message(4, memory(0, 1))))
            .done();
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bad = good.clone();
      for (int i = 0; i <= round % 3; i++) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      }
      try {
        PodResourcesDecoder.list(bad);
      } catch (ProtocolException e) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1_000, 19_000);
  }
}

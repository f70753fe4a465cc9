package io.numaspark.agent.knob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WriterMessagesTest {

  private static WriterRequest decode(String line) {
    return WriterMessages.decodeRequest(line.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] withoutLineFeed(byte[] line) {
    assertThat(line).endsWith('\n');
    assertThat(line).hasSizeLessThan(WriterMessages.MAX_REQUEST_BYTES);
    return Arrays.copyOf(line, line.length - 1);
  }

  static Stream<WriterRequest> requests() {
    KnobSettings settings =
        KnobSettings.parse(
            Map.of("prefetch.llcPage", "Disabled", "memory.transparentHugePages", "Madvise"));
    return Stream.of(
        new WriterRequest.Apply(settings, null),
        new WriterRequest.Apply(settings, CpuSet.of(0, 1, 2, 8)),
        new WriterRequest.Apply(settings, CpuSet.EMPTY),
        new WriterRequest.Apply(KnobSettings.NONE, null),
        new WriterRequest.Restore(),
        new WriterRequest.Status());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void readsWhatItWrites(WriterRequest request) throws IOException {
    assertThat(WriterMessages.decodeRequest(withoutLineFeed(WriterMessages.encode(request))))
        .isEqualTo(request);
  }

  @Test
  void readsTheRepliesThatItWrites() throws IOException {
    List<KnobState> states =
        List.of(
            new KnobState("prefetch.llcPage", "Disabled", "Mixed", "Failed", "0-3", "a \"b\" ä"),
            new KnobState("memory.swappiness", null, "60", "Restored", null, null));
    assertThat(WriterMessages.decodeReply(withoutLineFeed(WriterMessages.encodeReply(states))))
        .isEqualTo(states);
    assertThatIOException()
        .isThrownBy(() -> WriterMessages.decodeReply(WriterMessages.encodeError("no such knob")))
        .withMessage("the writer refuses: no such knob");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {"op":"write","settings":{}}                                | op: 'write' is unknown
          {"settings":{}}                                             | op: 'null' is unknown
          {"op":"apply"}                                              | settings: is missing
          {"op":"status","settings":{}}                               | op: status takes neither
          {"op":"restore","cpus":"0"}                                 | op: restore takes neither
          {"op":"apply","settings":{},"msr":"0x1a4"}                  | 'msr' is not a field of a request
          {"op":"apply","settings":{"0x1a4":"0xf"}}                   | '0x1a4' is not a knob
          {"op":"apply","settings":{"msr-0x1a4":"Disabled"}}          | 'msr-0x1a4' is not a knob
          {"op":"apply","settings":{"prefetch.l1Stride":"off"}}       | prefetch.l1Stride: 'off' is not a value
          {"op":"apply","settings":{"prefetch.l1Stride":"disabled"}}  | prefetch.l1Stride: 'disabled' is no
          {"op":"apply","settings":{"prefetch.l1Stride":true}}        | prefetch.l1Stride: is not text
          {"op":"apply","settings":{"prefetch.l1Stride":"Unmanaged"}} | prefetch.l1Stride: 'Unmanaged' is no
          {"op":"apply","settings":{"memory.swappiness":"201"}}       | memory.swappiness: '201' is not a value
          {"op":"apply","settings":{"memory.swappiness":"-1"}}        | memory.swappiness: '-1' is not a value
          {"op":"apply","settings":{"memory.swappiness":"01"}}        | memory.swappiness: '01' is not a value
          {"op":"apply","settings":{"memory.swappiness":10}}          | memory.swappiness: is not text
          {"op":"apply","settings":[]}                                | settings: is not an object
          {"op":"apply","settings":{},"cpus":"3-1"}                   | cpus: '3-1' is not a list of CPUs
          {"op":"apply","settings":{},"cpus":"99999"}                 | cpus: '99999' is not a list of CPUs
          {"op":"apply","settings":{},"cpus":[0]}                     | cpus: is not text
          {"op":"status","op":"restore"}                              | not JSON: Duplicate field 'op'
          {"op":"status"} {"op":"restore"}                            | more than one object
          {"op":"status"                                              | not JSON
          ["status"]                                                  | a request: is not an object
          status                                                      | not JSON
          ~~                                                          | a request: is not an object
          """)
  void refuses(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> decode(line))
        .withMessageContaining(message);
  }

  @Test
  void refusesRandomBytesAndNothingWorse() {
    Random random = new Random(4);
    byte[] valid =
        "{\"op\":\"apply\",\"settings\":{\"prefetch.l1Stride\":\"Disabled\"},\"cpus\":\"0-3\"}"
            .getBytes(StandardCharsets.US_ASCII);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] line;
      if (i % 2 == 0) {
        line = new byte[random.nextInt(64)];
        random.nextBytes(line);
      } else {
        line = Arrays.copyOf(valid, valid.length - random.nextInt(3));
        for (int edits = random.nextInt(3); edits >= 0; edits--) {
          line[random.nextInt(line.length)] = (byte) random.nextInt();
        }
      }
      try {
        WriterMessages.decodeRequest(line);
      } catch (IllegalArgumentException e) {
        assertThat(e.getMessage()).isNotBlank().isPrintable();
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(18_000);
  }

  @Test
  void refusesDeepNesting() {
    String deep = "[".repeat(60_000);
    assertThatIllegalArgumentException().isThrownBy(() -> decode(deep));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> decode("{\"op\":\"apply\",\"settings\":{\"a\":" + deep));
  }
}

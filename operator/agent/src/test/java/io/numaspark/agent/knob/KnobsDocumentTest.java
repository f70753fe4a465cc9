package io.numaspark.agent.knob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/knobs.md says what the code does. */
class KnobsDocumentTest {

  private static List<String> lines() throws IOException {
    return Files.readAllLines(Path.of("../../docs/knobs.md"));
  }

  private static String row(String start) throws IOException {
    return lines().stream()
        .filter(line -> line.startsWith("| " + start + " |"))
        .findFirst()
        .orElse("no row of " + start);
  }

  @ParameterizedTest
  @EnumSource(Knob.class)
  void hasEachKnob(Knob knob) throws IOException {
    assertThat(row("`" + knob.key() + "`")).contains("`" + knob.key() + "`").doesNotStartWith("no");
  }

  @ParameterizedTest
  @EnumSource(KnobVerdict.class)
  void hasEachState(KnobVerdict verdict) throws IOException {
    assertThat(row(verdict.name())).doesNotStartWith("no");
  }

  @ParameterizedTest
  @EnumSource(
      value = Knob.class,
      names = {"L1_NEXT_LINE", "L1_STRIDE", "L1_REGION", "L2_STREAM", "L2_ADJACENT_LINE"})
  void hasTheBitsOfAmd(Knob knob) throws IOException {
    Mechanism.Bits bits =
        (Mechanism.Bits)
            MechanismTable.find(knob, new Processor("AuthenticAMD", 0x19, 1, false, -1));
    assertThat(row("`" + knob.key() + "`").split("\\|")[3])
        .containsPattern("bit " + Long.numberOfTrailingZeros(bits.mask()) + "\\b");
  }

  @ParameterizedTest
  @EnumSource(Knob.class)
  void hasTheBitsOfGraniteRapids(Knob knob) throws IOException {
    Mechanism mechanism =
        MechanismTable.find(knob, new Processor("GenuineIntel", 6, 0xAD, false, null));
    if (mechanism instanceof Mechanism.Bits bits && bits.location().isMsr()) {
      assertThat(row("`" + knob.key() + "`").split("\\|")[2])
          .contains(
              "0x%X bit %d"
                  .formatted(bits.location().msr(), Long.numberOfTrailingZeros(bits.mask())));
    }
  }

  @Test
  void hasRequestsThatAreTaken() throws IOException {
    List<String> requests = lines().stream().filter(line -> line.startsWith("{\"op\"")).toList();
    assertThat(requests).hasSize(3);
    for (String request : requests) {
      assertThatCode(() -> WriterMessages.decodeRequest(request.getBytes(StandardCharsets.UTF_8)))
          .as(request)
          .doesNotThrowAnyException();
    }
    assertThat(Arrays.asList(Knob.values())).hasSize(14);
  }
}

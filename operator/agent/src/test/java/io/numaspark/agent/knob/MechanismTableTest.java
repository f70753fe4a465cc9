package io.numaspark.agent.knob;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.knob.Mechanism.Bits;
import io.numaspark.agent.knob.Mechanism.None;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MechanismTableTest {

  private static final String FOUR =
      "{l1NextLine=0x1a4:2, l1Stride=0x1a4:3, l2AdjacentLine=0x1a4:1, l2Stream=0x1a4:0}";
  private static final String AMD =
      "{l1NextLine=0xc0000108:0, l1Region=0xc0000108:2, l1Stride=0xc0000108:1,"
          + " l2AdjacentLine=0xc0000108:5, l2Stream=0xc0000108:3}";

  private static Processor intel(int model) {
    return new Processor("GenuineIntel", 6, model, false, null);
  }

  private static Processor amd(int family, Integer eax) {
    return new Processor("AuthenticAMD", family, 1, false, eax);
  }

  static Stream<Arguments> processors() {
    return Stream.of(
        Arguments.of("Nehalem-EP", intel(0x1A), FOUR),
        Arguments.of("Westmere-EX", intel(0x2F), FOUR),
        Arguments.of("Ivy Bridge-EP", intel(0x3E), FOUR),
        Arguments.of("Broadwell-EP", intel(0x4F), FOUR),
        Arguments.of("Skylake-SP", intel(0x55), FOUR),
        Arguments.of("Ice Lake-SP", intel(0x6A), FOUR),
        Arguments.of(
            "Sapphire Rapids",
            intel(0x8F),
            "{l1NextLine=0x1a4:2, l1NextPage=0x1a4:4, l1Stride=0x1a4:3,"
                + " l2AdaptiveMultipath=0x1a4:5, l2AdjacentLine=0x1a4:1, l2Stream=0x1a4:0,"
                + " llcStream=0x6d:42}"),
        Arguments.of(
            "Granite Rapids",
            intel(0xAD),
            "{arrayOfPointers=0x1a4:7, l1NextLine=0x1a4:2, l1NextPage=0x1a4:4, l1Stride=0x1a4:3,"
                + " l2AdaptiveMultipath=0x1a4:5, l2AdjacentLine=0x1a4:1, l2Stream=0x1a4:0,"
                + " llcPage=0x1a4:6, llcStream=0x6d:42}"),
        Arguments.of(
            "Sierra Forest",
            intel(0xAF),
            "{l1NextLine=0x1a4:2, l1Stride=0x1a4:3, l2AdjacentLine=0x1a4:1, l2Stream=0x1a4:0,"
                + " llcStream=0x1320:43}"),
        Arguments.of("Knights Landing", intel(0x57), "{l1NextLine=0x1a4:0, l2Stream=0x1a4:1}"),
        Arguments.of("an Intel model that no source names", intel(0x01), "{}"),
        Arguments.of("Pentium 4", new Processor("GenuineIntel", 15, 0x1A, false, null), "{}"),
        Arguments.of("Zen 3 or 4", amd(0x19, 1 << 13), AMD),
        Arguments.of("Zen 5", amd(0x1A, 1 << 13), AMD),
        Arguments.of("Zen 3 whose CPUID says no", amd(0x19, ~(1 << 13)), "{}"),
        Arguments.of("Zen 3 whose CPUID cannot be read", amd(0x19, null), "{}"),
        Arguments.of("Zen 2", amd(0x17, -1), "{}"),
        Arguments.of("an AMD family to come", amd(0x1B, -1), "{}"),
        Arguments.of("Hygon", new Processor("HygonGenuine", 0x18, 1, false, -1), "{}"),
        Arguments.of("POWER9", new Processor("POWER9", 0, 0, false, null), "{l2Stream=dscr:0}"),
        Arguments.of("Graviton2", new Processor("0x41", 8, 0, false, null), "{}"),
        Arguments.of("nothing known", new Processor("unknown", 0, 0, false, null), "{}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("processors")
  void namesRegisterAndBit(String name, Processor processor, String wanted) {
    Map<String, String> bits = new TreeMap<>();
    for (Knob knob : Knob.values()) {
      if (knob.isPrefetcher() && MechanismTable.find(knob, processor) instanceof Bits found) {
        bits.put(
            knob.key().substring("prefetch.".length()),
            (found.location().isMsr()
                    ? "0x" + Long.toHexString(found.location().msr())
                    : found.location().key())
                + ":"
                + Long.numberOfTrailingZeros(found.mask()));
      }
    }
    assertThat(bits).hasToString(wanted);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("processors")
  void staysWithinWhatMayBeWritten(String name, Processor processor, String wanted) {
    for (Knob knob : Knob.values()) {
      Mechanism mechanism = MechanismTable.find(knob, processor);
      if (mechanism instanceof Bits bits) {
        assertThat(bits.mask() & ~bits.location().writable()).as(knob.key()).isZero();
      } else {
        assertThat(((None) mechanism).reason()).as(knob.key()).isNotBlank();
        assertThat(((None) mechanism).remedy()).as(knob.key()).isNotBlank();
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          memory.transparentHugePages, Madvise,  2, 1
          memory.transparentHugePages, Always,   2, 0
          memory.numaBalancing,        Disabled, 2, 0
          # 2 is memory tiering, a way of Enabled that stays.
          memory.numaBalancing,        Enabled,  2, 2
          memory.numaBalancing,        Enabled,  0, 1
          memory.zoneReclaim,          Enabled,  4, 4
          memory.swappiness,           10,      60, 10
          """)
  void codesKernelFiles(String key, String value, long before, long after) {
    Bits bits = (Bits) MechanismTable.find(Knob.of(key), intel(0x01));
    assertThat(bits.encode(before, value)).isEqualTo(after);
    assertThat(bits.decode(after)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "Disabled, 0x10, 0x11",
    "Disabled, 0x17, 0x11",
    "Enabled, 0x11, 0x10",
    "Enabled, 0x17, 0x17"
  })
  void changesOnlyTheDepthOfPower(String value, String before, String after) {
    Bits bits =
        (Bits) MechanismTable.find(Knob.L2_STREAM, new Processor("POWER8", 0, 0, false, null));
    assertThat(bits.encode(Long.decode(before), value)).isEqualTo(Long.decode(after));
  }
}

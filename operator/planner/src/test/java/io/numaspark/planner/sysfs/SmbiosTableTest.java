package io.numaspark.planner.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SmbiosTableTest {
  private static final int DDR3 = 0x18;
  private static final int DDR4 = 0x1A;
  private static final int DDR5 = 0x22;

  @Test
  void theSlowestModuleSpeaksForAll() {
    byte[] table =
        new Table()
            .other(0)
            .module(device(16384, DDR4, 3200, 2933))
            .module(device(0, 2, 0, 0))
            .module(device(16384, DDR4, 2666, 2400))
            .end();
    assertThat(SmbiosTable.memoryModules(table)).contains(modules(2, "DDR4", 2400, 2666));
  }

  @Test
  void fastModulesHaveTheirSpeedInTheExtendedFields() {
    ByteBuffer device = device(32767, DDR5, 0xFFFF, 0xFFFF);
    device.putInt(0x54, 70_400).putInt(0x58, 66_000);
    assertThat(SmbiosTable.memoryModules(new Table().module(device).end()))
        .contains(modules(1, "DDR5", 66_000, 70_400));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        // length | configured | rated: the fields came with SMBIOS 2.3 and 2.7.
        "0x15 | - | -",
        "0x1B | - | 1866",
        "0x22 | 1600 | 1866",
      })
  void olderTablesTellLess(String length, Integer configured, Integer rated) {
    ByteBuffer device = device(8192, DDR3, 1866, 1600);
    int bytes = Integer.decode(length);
    device.put(1, (byte) bytes);
    assertThat(SmbiosTable.memoryModules(new Table().module(device.slice(0, bytes)).end()))
        .contains(modules(1, "DDR3", configured, rated));
  }

  @Test
  void speedsThatNoModuleHasAreUnknown() {
    ByteBuffer device = device(8192, DDR5, 0xFFFF, 0xFFFF);
    device.putInt(0x54, -1).putInt(0x58, 100_001);
    assertThat(SmbiosTable.memoryModules(new Table().module(device).end()))
        .contains(modules(1, "DDR5", null, null));
  }

  @Test
  void persistentMemoryIsNoRam() {
    ByteBuffer optane = device(32767, DDR4, 2666, 2666);
    optane.put(0x28, (byte) 7);
    byte[] table =
        new Table()
            .module(optane)
            .module(device(32767, 0x1F, 2666, 2666))
            .module(device(16384, DDR4, 2933, 2933))
            .end();
    assertThat(SmbiosTable.memoryModules(table)).contains(modules(1, "DDR4", 2933, 2933));
  }

  @Test
  void aTableWithoutEndMarkMayEndAfterAStructure() {
    byte[] table = new Table().module(device(8192, DDR3, 1333, 1333)).bytes();
    assertThat(SmbiosTable.memoryModules(table)).contains(modules(1, "DDR3", 1333, 1333));
  }

  @Test
  void whatComesAfterTheEndMarkIsNotRead() {
    byte[] table = new Table().module(device(8192, DDR3, 1333, 1333)).end();
    assertThat(SmbiosTable.memoryModules(Arrays.copyOf(table, table.length + 3))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "11", // a piece of a header
        "11030000 0000", // shorter than its header
        "11FF0000 0000", // longer than the table
        "11040000 41", // strings that do not end
        "7F040000 0000", // no module at all
      })
  void whatIsNoTableTellsNothing(String hex) {
    byte[] table = java.util.HexFormat.of().parseHex(hex.replace(" ", ""));
    assertThat(SmbiosTable.memoryModules(table)).isEmpty();
  }

  @Test
  void aTableThatIsCutAnywhereNeverThrows() {
    byte[] table =
        new Table()
            .other(1)
            .module(device(16384, DDR4, 3200, 2933))
            .module(device(16384, DDR4, 3200, 2933))
            .end();
    int secondModule = table.length - 6 - (0x5C + 8);
    for (int length = 0; length < table.length; length++) {
      Optional<MemoryModules> modules = SmbiosTable.memoryModules(Arrays.copyOf(table, length));
      if (length < secondModule - 8 - 0x5C) {
        assertThat(modules).as("%d bytes", length).isEmpty();
      }
    }
  }

  @Test
  void randomBytesNeverThrow() {
    Random random = new Random(17);
    byte[] good = new Table().module(device(16384, DDR4, 3200, 2933)).end();
    for (int round = 0; round < 20_000; round++) {
      byte[] table = round % 2 == 0 ? good.clone() : new byte[random.nextInt(300)];
      if (round % 2 == 0) {
        table[random.nextInt(table.length)] = (byte) random.nextInt(256);
      } else {
        random.nextBytes(table);
      }
      SmbiosTable.memoryModules(table)
          .ifPresent(modules -> assertThat(modules.count()).isPositive());
    }
  }

  @Test
  void aFileThatIsNotThereTellsNothing() {
    assertThat(SmbiosTable.memoryModules(Path.of("no", "such", "DMI"))).isEmpty();
  }

  private static MemoryModules modules(int count, String type, Integer configured, Integer rated) {
    return new MemoryModules(
        count, Optional.of(type), Optional.ofNullable(configured), Optional.ofNullable(rated));
  }

  private static ByteBuffer device(int megabytes, int type, int speed, int configured) {
    ByteBuffer device = ByteBuffer.allocate(0x5C).order(ByteOrder.LITTLE_ENDIAN);
    device.put(0, (byte) 17).put(1, (byte) 0x5C).putShort(0x0C, (short) megabytes);
    device.put(0x12, (byte) type).putShort(0x15, (short) speed);
    return device.putShort(0x20, (short) configured);
  }

  /** Structures in the order of a table, each with a string, as firmware writes them. */
  private static final class Table {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Table module(ByteBuffer device) {
      byte[] bytes = new byte[device.limit()];
      device.get(0, bytes);
      out.writeBytes(bytes);
      out.writeBytes("DIMM A".getBytes(StandardCharsets.US_ASCII));
      out.writeBytes(new byte[2]);
      return this;
    }

    Table other(int type) {
      out.writeBytes(new byte[] {(byte) type, 6, 0, 0, 17, 17, 0, 0});
      return this;
    }

    byte[] end() {
      out.writeBytes(new byte[] {127, 4, 0, 0, 0, 0});
      return bytes();
    }

    byte[] bytes() {
      return out.toByteArray();
    }
  }
}

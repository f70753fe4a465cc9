package io.numaspark.planner.sysfs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the memory modules from the firmware's table as Linux gives it in
 * /sys/firmware/dmi/tables/DMI: SMBIOS structures of type 17 (DMTF DSP0134, section 7.18).
 *
 * <p>Limit: a table that breaks its own rules anywhere tells nothing, and there is never an
 * exception; modules that are no RAM (persistent memory) do not count.
 */
final class SmbiosTable {
  /** Real tables have some 10 KiB. */
  private static final int LARGEST_TABLE = 4 << 20;

  private static final int HEADER = 4;
  private static final int MEMORY_DEVICE = 17;
  private static final int END_OF_TABLE = 127;

  /** Offsets in a Memory Device. */
  private static final int SIZE = 0x0C;

  private static final int TYPE = 0x12;
  private static final int SPEED = 0x15;
  private static final int CONFIGURED_SPEED = 0x20;
  private static final int TECHNOLOGY = 0x28;
  private static final int EXTENDED_SPEED = 0x54;
  private static final int EXTENDED_CONFIGURED_SPEED = 0x58;

  /** Stands for "see the extended field". */
  private static final int IN_EXTENDED = 0xFFFF;

  /** More is not a speed of a module; NodeSystem takes no more either. */
  private static final int FASTEST = 100_000;

  /** NVDIMM-F, NVDIMM-P and Intel Optane (table 84, Memory Technology). */
  private static final int FIRST_PERSISTENT = 5;

  /** Memory Device: Type of such modules. */
  private static final int LOGICAL_NON_VOLATILE = 0x1F;

  private static final int LAST_PERSISTENT = 7;

  private int count;
  private Optional<String> type = Optional.empty();
  private OptionalInt configured = OptionalInt.empty();
  private OptionalInt rated = OptionalInt.empty();

  private SmbiosTable() {}

  /** The modules in the table of a file; empty if it cannot be read, is broken or lists none. */
  static Optional<MemoryModules> memoryModules(Path file) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return memoryModules(in.readNBytes(LARGEST_TABLE));
    } catch (IOException e) {
      // Only root may read it.
      return Optional.empty();
    }
  }

  static Optional<MemoryModules> memoryModules(byte[] table) {
    SmbiosTable modules = new SmbiosTable();
    ByteBuffer bytes = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
    int start = 0;
    while (start < table.length) {
      if (start + HEADER > table.length) {
        return Optional.empty();
      }
      int length = table[start + 1] & 0xFF;
      int end = start + length;
      if (length < HEADER || end > table.length) {
        return Optional.empty();
      }
      int kind = table[start] & 0xFF;
      if (kind == END_OF_TABLE) {
        break;
      }
      if (kind == MEMORY_DEVICE) {
        modules.add(bytes.slice(start, length).order(ByteOrder.LITTLE_ENDIAN));
      }
      start = afterStrings(table, end);
      if (start < 0) {
        return Optional.empty();
      }
    }
    return modules.result();
  }

  /** Where the next structure starts: after the two zero bytes that end the strings; or -1. */
  private static int afterStrings(byte[] table, int from) {
    for (int i = from; i + 1 < table.length; i++) {
      if (table[i] == 0 && table[i + 1] == 0) {
        return i + 2;
      }
    }
    return -1;
  }

  private void add(ByteBuffer device) {
    int size = word(device, SIZE);
    int technology = unsigned(device, TECHNOLOGY);
    boolean persistent =
        unsigned(device, TYPE) == LOGICAL_NON_VOLATILE
            || technology >= FIRST_PERSISTENT && technology <= LAST_PERSISTENT;
    // An empty slot has size 0.
    if (size == 0 || persistent) {
      return;
    }
    if (count == 0) {
      type = kind(unsigned(device, TYPE));
    }
    count++;
    rated = slower(rated, speed(device, SPEED, EXTENDED_SPEED));
    configured = slower(configured, speed(device, CONFIGURED_SPEED, EXTENDED_CONFIGURED_SPEED));
  }

  private Optional<MemoryModules> result() {
    return count == 0
        ? Optional.empty()
        : Optional.of(new MemoryModules(count, type, boxed(configured), boxed(rated)));
  }

  private static Optional<Integer> boxed(OptionalInt number) {
    return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
  }

  private static OptionalInt slower(OptionalInt one, int other) {
    if (other == 0) {
      return one;
    }
    return OptionalInt.of(one.isPresent() ? Math.min(one.getAsInt(), other) : other);
  }

  /** MT/s; 0 if unknown, as in the table itself. */
  private static int speed(ByteBuffer device, int offset, int extendedOffset) {
    int speed = word(device, offset);
    if (speed == IN_EXTENDED) {
      // Bit 31 is reserved.
      speed =
          extendedOffset + Integer.BYTES <= device.limit()
              ? device.getInt(extendedOffset) & Integer.MAX_VALUE
              : 0;
    }
    return speed > FASTEST ? 0 : speed;
  }

  /** An unsigned 16-bit field; 0 if the structure ends before it. */
  private static int word(ByteBuffer device, int offset) {
    return offset + Short.BYTES <= device.limit() ? device.getShort(offset) & 0xFFFF : 0;
  }

  private static int unsigned(ByteBuffer device, int offset) {
    return offset < device.limit() ? device.get(offset) & 0xFF : 0;
  }

  /** Table 77, Memory Device: Type; those that servers had this century. */
  private static Optional<String> kind(int code) {
    return Optional.ofNullable(
        switch (code) {
          case 0x12 -> "DDR";
          case 0x13 -> "DDR2";
          case 0x14 -> "DDR2 FB-DIMM";
          case 0x18 -> "DDR3";
          case 0x1A -> "DDR4";
          case 0x1B -> "LPDDR";
          case 0x1C -> "LPDDR2";
          case 0x1D -> "LPDDR3";
          case 0x1E -> "LPDDR4";
          case 0x20 -> "HBM";
          case 0x21 -> "HBM2";
          case 0x22 -> "DDR5";
          case 0x23 -> "LPDDR5";
          case 0x24 -> "HBM3";
          default -> null;
        });
  }
}

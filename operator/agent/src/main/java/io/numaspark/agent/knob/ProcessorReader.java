package io.numaspark.agent.knob;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads what a {@link Processor} is from /proc/cpuinfo, and from /dev/cpu/0/cpuid where the process
 * may.
 *
 * <p>Limit: the first processor speaks for all.
 */
public final class ProcessorReader {

  /** Leaf with AMD's feature bit of the prefetcher register. */
  private static final long LEAF = 0x80000021L;

  /** EAX, EBX, ECX, EDX (Linux arch/x86/kernel/cpuid.c). */
  private static final int LEAF_BYTES = 16;

  private ProcessorReader() {}

  /**
   * Reads the processor of the machine below a root.
   *
   * @throws IOException if /proc/cpuinfo cannot be read
   */
  public static Processor read(Path root) throws IOException {
    String vendor = null;
    String family = null;
    String model = null;
    String flags = null;
    try (BufferedReader lines =
        Files.newBufferedReader(root.resolve("proc/cpuinfo"), StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int colon = line.indexOf(':');
        if (colon < 0) {
          continue;
        }
        String key = line.substring(0, colon).trim();
        String value = line.substring(colon + 1).trim();
        switch (key) {
          case "vendor_id", "CPU implementer" -> vendor = vendor == null ? value : vendor;
          // POWER: "POWER9 (raw), altivec supported".
          case "cpu" -> vendor = vendor == null ? firstWord(value) : vendor;
          case "cpu family" -> family = family == null ? value : family;
          case "model" -> model = model == null ? value : model;
          case "flags" -> flags = flags == null ? value : flags;
          default -> {
            // Of no matter here.
          }
        }
      }
    }
    return new Processor(
        vendor == null ? "unknown" : vendor,
        number(family),
        number(model),
        flags != null && (" " + flags + " ").contains(" hypervisor "),
        "AuthenticAMD".equals(vendor) ? leaf(root) : null);
  }

  private static String firstWord(String text) {
    int end = 0;
    while (end < text.length() && Character.isLetterOrDigit(text.charAt(end))) {
      end++;
    }
    return text.substring(0, end);
  }

  private static int number(String text) {
    try {
      return text == null ? 0 : Integer.parseInt(text);
    } catch (NumberFormatException e) {
      // POWER has "model : IBM pSeries ..."; a number of 0 is in no list of processors.
      return 0;
    }
  }

  private static Integer leaf(Path root) {
    ByteBuffer registers = ByteBuffer.allocate(LEAF_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel cpuid =
        FileChannel.open(root.resolve("dev/cpu/0/cpuid"), StandardOpenOption.READ)) {
      return cpuid.read(registers, LEAF) == LEAF_BYTES ? registers.getInt(0) : null;
    } catch (IOException e) {
      // No module cpuid, or no right: the table says what to do about it.
      return null;
    }
  }
}

package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.Location;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What has gone wrong while one request was served: by knob, the first message and all cells. */
final class Trouble {

  private final Map<Knob, String> messages = new EnumMap<>(Knob.class);
  private final Map<Knob, Set<Cell>> cells = new EnumMap<>(Knob.class);

  void add(Knob knob, Cell cell, String message) {
    messages.putIfAbsent(knob, message);
    cells.computeIfAbsent(knob, k -> new TreeSet<>()).add(cell);
  }

  /** The first message about a knob; null if nothing is wrong with it. */
  String message(Knob knob) {
    return messages.get(knob);
  }

  /** The cells at which a knob was in trouble. */
  Set<Cell> cells(Knob knob) {
    return cells.getOrDefault(knob, Set.of());
  }

  /** The CPUs of cells, in Linux list form; null if there are none or they are the node's. */
  static String cpus(Set<Cell> cells) {
    String list =
        CpuSet.of(cells.stream().mapToInt(Cell::cpu).filter(cpu -> cpu != Cell.NODE)).toString();
    return list.isEmpty() ? null : list;
  }

  /**
   * Says what an error at a cell means, and what to do about it. The kernel's words are the C
   * library's, which the writer runs with in English.
   */
  static String explain(Cell cell, IOException error) {
    Location location = cell.location();
    String what = cell.key();
    String words = String.valueOf(error.getMessage());
    if (error instanceof NoSuchFileException && location.isMsr()) {
      return words
          + " does not exist: load the kernel module msr on the node (modprobe msr), and let the"
          + " writer see /dev/cpu";
    }
    if (error instanceof NoSuchFileException) {
      return words
          + " does not exist: the kernel is built without it; leave the knob out of the profile of"
          + " such nodes";
    }
    if (words.contains("Operation not permitted") || error instanceof AccessDeniedException) {
      return "the kernel does not permit it for "
          + what
          + ": see that the writer runs privileged, that kernel lockdown is off, and that"
          + " msr.allow_writes is not off";
    }
    if (words.contains("Input/output error")) {
      return "the processor refuses "
          + what
          + " (input/output error): it has no such bit or register, or a hypervisor keeps it from"
          + " the guest; leave the knob out of the profile of such nodes";
    }
    if (words.contains("No such device or address")) {
      // Linux arch/x86/kernel/msr.c, msr_open: ENXIO if the CPU is not online.
      return what + ": the CPU has gone offline: ask again, or set it online";
    }
    if (words.contains("Read-only file system")) {
      return what + " is on a read-only file system: see that the writer runs privileged";
    }
    return what + ": " + words + ": see the kernel's log";
  }
}

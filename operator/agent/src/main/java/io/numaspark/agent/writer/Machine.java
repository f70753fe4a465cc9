package io.numaspark.agent.writer;

import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;

/** The machine whose knobs are set. Tests put faults between this and the files of a fake one. */
interface Machine {

  /**
   * Reads a cell.
   *
   * @throws IOException if it does not exist, or the kernel refuses
   */
  long read(Cell cell) throws IOException;

  /**
   * Writes a cell. That it returns does not prove that the cell has changed.
   *
   * @throws IOException as {@link #read}
   */
  void write(Cell cell, long content) throws IOException;

  /** CPUs that run. */
  CpuSet onlineCpus() throws IOException;

  /** CPUs that run or could. */
  CpuSet presentCpus() throws IOException;

  /** The CPUs of the core of an online CPU, itself among them. */
  CpuSet siblings(int cpu) throws IOException;

  /** The kernel's id of this start of the machine. */
  String bootId() throws IOException;

  /** Why model specific registers cannot be written, and what to do; null if nothing says so. */
  String msrWriteBlock();
}

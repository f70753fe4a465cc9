package io.numaspark.agent.writer;

import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A fake tree between which and the writer faults can be put. */
final class FaultyMachine implements Machine {

  private final FileMachine files;
  private final CrashPoint crash;
  private final Map<Cell, String> readErrors = new HashMap<>();
  private final Map<Cell, String> writeErrors = new HashMap<>();
  Predicate<Cell> ignoresWrites = cell -> false;
  final List<String> writes = new ArrayList<>();

  FaultyMachine(FakeTree tree) {
    this(tree, new CrashPoint(-1));
  }

  FaultyMachine(FakeTree tree, CrashPoint crash) {
    this.files = new FileMachine(tree.root);
    this.crash = crash;
  }

  void failRead(Cell cell, String error) {
    readErrors.put(cell, error);
  }

  void failWrite(Cell cell, String error) {
    writeErrors.put(cell, error);
  }

  void heal() {
    readErrors.clear();
    writeErrors.clear();
    ignoresWrites = cell -> false;
  }

  @Override
  public long read(Cell cell) throws IOException {
    crash.step("read " + cell.key());
    if (readErrors.containsKey(cell)) {
      throw new IOException(readErrors.get(cell));
    }
    return files.read(cell);
  }

  @Override
  public void write(Cell cell, long content) throws IOException {
    crash.step("before write of " + cell.key());
    if (writeErrors.containsKey(cell)) {
      throw new IOException(writeErrors.get(cell));
    }
    writes.add(cell.key() + "=" + Long.toHexString(content));
    if (!ignoresWrites.test(cell)) {
      files.write(cell, content);
    }
    crash.step("after write of " + cell.key());
  }

  @Override
  public CpuSet onlineCpus() throws IOException {
    return files.onlineCpus();
  }

  @Override
  public CpuSet presentCpus() throws IOException {
    return files.presentCpus();
  }

  @Override
  public CpuSet siblings(int cpu) throws IOException {
    return files.siblings(cpu);
  }

  @Override
  public String bootId() throws IOException {
    return files.bootId();
  }

  @Override
  public String msrWriteBlock() {
    return files.msrWriteBlock();
  }
}

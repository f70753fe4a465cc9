package io.numaspark.agent.writer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A store that can be killed before, in the middle of, and after each of its steps. It does not
 * wait for the disk: who kills a process does not take from the kernel what was written.
 */
final class FaultyStore extends OriginalsStore {

  private final CrashPoint crash;
  boolean isFull;

  FaultyStore(Path directory) {
    this(directory, new CrashPoint(-1));
  }

  FaultyStore(Path directory, CrashPoint crash) {
    super(directory);
    this.crash = crash;
  }

  @Override
  void writeTemporary(byte[] text) throws IOException {
    if (isFull) {
      throw new IOException("No space left on device");
    }
    crash.step("before the temporary file");
    Files.write(temporary(), Arrays.copyOf(text, text.length / 2));
    crash.step("in the temporary file");
    Files.write(temporary(), text);
    crash.step("after the temporary file");
  }

  @Override
  void replace() throws IOException {
    super.replace();
    crash.step("after the rename");
  }

  @Override
  void remove() throws IOException {
    crash.step("before the removal");
    super.remove();
    crash.step("after the removal");
  }

  @Override
  void syncDirectory() {
    crash.step("after the sync of the directory");
  }
}

package io.numaspark.sparkbench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A file system on an emulated device, from bench/spark/device; gone when this is closed or this
 * process ends.
 */
final class Device implements AutoCloseable {

  private final Process process;
  private final Path mount;
  private final BufferedReader answers;
  private final Writer commands;

  private Device(Process process, Path mount) {
    this.process = process;
    this.mount = mount;
    this.answers = process.inputReader();
    this.commands = process.outputWriter();
  }

  static Device start(Path program, DeviceKind kind, double slowdown, Path mount)
      throws IOException {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "-kind",
                kind.name().toLowerCase(Locale.ROOT),
                "-slowdown",
                Double.toString(slowdown),
                "-mount",
                mount.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Device device = new Device(process, mount);
    String first = device.answers.readLine();
    if (first == null || !first.startsWith("ready")) {
      throw new IOException(
          "the emulated device did not start; its own words are above (it needs root and /dev/fuse)");
    }
    return device;
  }

  Path mount() {
    return mount;
  }

  /** With delays. */
  void timed() throws IOException {
    ask("timed");
  }

  /** Without delays, to fill it. */
  void fast() throws IOException {
    ask("fast");
  }

  /** Nothing of its files is in memory afterwards. */
  void drop() throws IOException {
    ask("drop");
  }

  /** Requests, bytes, seeks and busy seconds since the start, as JSON. */
  String counters() throws IOException {
    return ask("counters");
  }

  private String ask(String command) throws IOException {
    commands.write(command + "\n");
    commands.flush();
    String answer = answers.readLine();
    if (answer == null || answer.startsWith("error")) {
      throw new IOException("the emulated device answered " + command + " with " + answer);
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    commands.close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

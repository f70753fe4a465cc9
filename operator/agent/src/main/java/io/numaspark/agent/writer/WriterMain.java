package io.numaspark.agent.writer;

import io.numaspark.agent.knob.KnobVerdict;
import io.numaspark.agent.knob.ProcessorReader;
import io.numaspark.agent.knob.Quoted;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * The privileged writer's process. Without argument it serves its socket until SIGTERM, and then
 * puts everything back; with {@code restore} it puts everything back and ends.
 *
 * <p>Set by environment variables, or system properties of the same name: {@code
 * NUMASPARK_WRITER_ROOT} (below which /proc, /sys and /dev are; default {@code /}), {@code
 * NUMASPARK_WRITER_STATE} (directory on the host for the originals; {@code /var/lib/numaspark}),
 * {@code NUMASPARK_WRITER_SOCKET} ({@code /run/numaspark/writer.sock}).
 */
public final class WriterMain {

  private static final System.Logger LOG = System.getLogger(WriterMain.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private WriterMain() {}

  /** Runs; ends with 0 if all is well, 1 if something could not be done, 2 for wrong arguments. */
  public static void main(String[] arguments) {
    boolean once = arguments.length == 1 && arguments[0].equals("restore");
    if (arguments.length > 0 && !once) {
      System.err.println("usage: without argument to serve, or: restore");
      System.exit(2);
    }
    try {
      Path state = Path.of(setting("NUMASPARK_WRITER_STATE", "/var/lib/numaspark"));
      Files.createDirectories(state);
      // Held until the process ends: two writers would take each other's values for originals.
      FileChannel lock =
          FileChannel.open(
              state.resolve("writer.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock.tryLock() == null) {
        LOG.log(System.Logger.Level.INFO, "waiting for another writer to end ({0})", state);
        lock.lock();
      }
      Path root = Path.of(setting("NUMASPARK_WRITER_ROOT", "/"));
      KnobWriter writer =
          new KnobWriter(
              new FileMachine(root), ProcessorReader.read(root), new OriginalsStore(state));
      if (once) {
        System.exit(isAllBack(writer.restore()) ? 0 : 1);
      }
      serve(writer, Path.of(setting("NUMASPARK_WRITER_SOCKET", "/run/numaspark/writer.sock")));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println(Quoted.line("numaspark writer: " + e));
      System.exit(1);
    }
  }

  private static String setting(String name, String otherwise) {
    String value = System.getProperty(name, System.getenv(name));
    return value == null || value.isBlank() ? otherwise : value;
  }

  private static void serve(KnobWriter writer, Path socket) throws IOException {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(writer)));
    try {
      isAllBack(writer.resume());
    } catch (IOException e) {
      // Served nevertheless, so that the reader can tell it.
      LOG.log(System.Logger.Level.ERROR, e.getMessage());
    }
    try (WriterServer server = new WriterServer(writer, socket, PATIENCE)) {
      server.run();
    }
  }

  private static void end(KnobWriter writer) {
    try {
      isAllBack(writer.close());
    } catch (IOException e) {
      // The logger may have ended before this hook.
      System.err.println(
          Quoted.line("numaspark writer: knobs are not put back: " + e.getMessage()));
    }
  }

  private static boolean isAllBack(List<KnobState> states) {
    boolean all = true;
    for (KnobState state : states) {
      if (!state.state().equals(KnobVerdict.Restored.name())) {
        all = false;
        System.err.println(
            Quoted.line(
                "numaspark writer: " + state.name() + " is not put back: " + state.message()));
      }
    }
    return all;
  }
}

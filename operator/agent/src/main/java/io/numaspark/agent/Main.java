package io.numaspark.agent;

import java.io.IOException;
import java.time.Clock;
import java.util.Objects;

/** Starts the agent's reader, and ends it when the kubelet asks. */
public final class Main {
  private static final System.Logger LOG = System.getLogger(Main.class.getName());

  private Main() {}

  public static void main(String[] arguments) {
    Signal signal = new Signal();
    Thread worker = Thread.currentThread();
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  signal.stop();
                  try {
                    worker.join(10_000);
                  } catch (InterruptedException e) {
                    // Ends anyway.
                  }
                },
                "shutdown"));
    try {
      new NodeAgent(AgentConfig.of(System.getenv()), version(), Clock.systemUTC(), signal).run();
    } catch (IllegalArgumentException | IOException e) {
      LOG.log(System.Logger.Level.ERROR, e.getMessage());
      System.exit(1);
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.INFO, "interrupted");
    }
  }

  private static String version() {
    return Objects.requireNonNullElse(Main.class.getPackage().getImplementationVersion(), "dev");
  }
}

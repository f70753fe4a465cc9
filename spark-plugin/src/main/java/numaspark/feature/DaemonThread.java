package numaspark.feature;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** Makes the threads of the plugin's parts; none of them keeps a JVM from ending. */
public final class DaemonThread {
  private DaemonThread() {}

  /** One thread of this name, for work that is due at times. */
  public static ScheduledExecutorService scheduled(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        work -> {
          Thread thread = new Thread(work, name);
          thread.setDaemon(true);
          return thread;
        });
  }
}

package io.numaspark.agent;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;

/**
 * Raises a signal when a pod that may have CPUs of its own comes or goes: its cgroup is a folder
 * directly below that of all pods.
 *
 * <p>Limit: a container that starts again inside of its pod makes no event, nor does anything below
 * another cgroup root; both are seen at the next look.
 */
final class PodEvents implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PodEvents.class.getName());

  /** Names by the two cgroup drivers of the kubelet, systemd and cgroupfs. */
  private static final List<String> FOLDERS = List.of("kubepods.slice", "kubepods");

  private final WatchService watch;
  private final Path cgroup;
  private WatchKey key;

  private PodEvents(WatchService watch, Path cgroup) {
    this.watch = watch;
    this.cgroup = cgroup;
  }

  /** Begins to listen, as far as the folder exists already. */
  static PodEvents start(Path cgroup, Signal signal) throws IOException {
    PodEvents events = new PodEvents(cgroup.getFileSystem().newWatchService(), cgroup);
    Thread thread = new Thread(() -> events.listen(signal), "pod-events");
    thread.setDaemon(true);
    thread.start();
    events.register();
    return events;
  }

  /** Listens to the folder if it did not exist before, or was made anew. */
  void register() {
    if (key != null && key.isValid()) {
      return;
    }
    for (String folder : FOLDERS) {
      Path pods = cgroup.resolve(folder);
      if (Files.isDirectory(pods)) {
        try {
          key =
              pods.register(
                  watch,
                  StandardWatchEventKinds.ENTRY_CREATE,
                  StandardWatchEventKinds.ENTRY_DELETE);
        } catch (IOException e) {
          LOG.log(System.Logger.Level.WARNING, "cannot listen to {0}: {1}", pods, e);
        }
        return;
      }
    }
  }

  private void listen(Signal signal) {
    try {
      while (true) {
        WatchKey fired = watch.take();
        fired.pollEvents();
        signal.raise();
        fired.reset();
      }
    } catch (InterruptedException | ClosedWatchServiceException e) {
      // The agent ends.
    }
  }

  @Override
  public void close() throws IOException {
    watch.close();
  }
}

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

  private final Path cgroup;
  private final Signal signal;
  private WatchService watch;
  private WatchKey key;
  private String trouble = "";

  private PodEvents(Path cgroup, Signal signal) {
    this.cgroup = cgroup;
    this.signal = signal;
  }

  /** Begins to listen, as far as that can be. */
  static PodEvents start(Path cgroup, Signal signal) {
    PodEvents events = new PodEvents(cgroup, signal);
    events.register();
    return events;
  }

  /**
   * Listens if that was not possible before, or the folder was made anew. A node has so many
   * watches for all containers of one user, and others may have taken them all: then pods are seen
   * at the next look.
   */
  void register() {
    if (key != null && key.isValid()) {
      return;
    }
    try {
      open();
      for (String folder : FOLDERS) {
        Path pods = cgroup.resolve(folder);
        if (Files.isDirectory(pods)) {
          key =
              pods.register(
                  watch,
                  StandardWatchEventKinds.ENTRY_CREATE,
                  StandardWatchEventKinds.ENTRY_DELETE);
          break;
        }
      }
      trouble = "";
    } catch (IOException | UnsupportedOperationException e) {
      // Once, not at each look.
      if (!trouble.equals(e.toString())) {
        trouble = e.toString();
        LOG.log(System.Logger.Level.WARNING, "cannot listen to {0}: {1}", cgroup, trouble);
      }
    }
  }

  private void open() throws IOException {
    if (watch == null) {
      watch = cgroup.getFileSystem().newWatchService();
      Thread thread = new Thread(this::listen, "pod-events");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void listen() {
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
    if (watch != null) {
      watch.close();
    }
  }
}

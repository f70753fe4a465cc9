package io.numaspark.cli.smt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.numaspark.render.text.OneLine;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The pod that brings the program to a node, in a namespace that only this node has: it is
 * privileged and sees the node's root, as {@code kubectl debug node/NODE --profile=sysadmin} does.
 */
final class HostPod {
  private static final String NAME = "app.kubernetes.io/name";
  private static final String OURS = "numaspark-smt";
  private static final int HASH = 5;

  /** Reasons of a container that waits for something that does not come by itself. */
  private static final Set<String> HOPELESS =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "ErrImageNeverPull",
          "InvalidImageName",
          "CreateContainerConfigError",
          "CreateContainerError",
          "RunContainerError");

  private HostPod() {}

  /** What the program does. */
  enum Work {
    CHECK,
    SWITCH;

    /** The argument, and the pod's name. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How far a pod is: waiting for nothing special, with a report, or with a reason why it has none.
   */
  record Progress(Optional<HostReport> report, Optional<String> ended, Optional<String> waiting) {}

  /** Names of nodes may be longer than those of namespaces, and have dots. */
  static String namespace(String node) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(node.getBytes(UTF_8));
      return OURS + "-" + HexFormat.of().formatHex(hash, 0, HASH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static Namespace namespaceOf(String node) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(namespace(node))
        .addToLabels(NAME, OURS)
        .addToLabels("pod-security.kubernetes.io/enforce", "privileged")
        .addToLabels("pod-security.kubernetes.io/audit", "privileged")
        .addToLabels("pod-security.kubernetes.io/warn", "privileged")
        .addToAnnotations("numaspark.io/node", node)
        .endMetadata()
        .build();
  }

  static Pod of(String node, Work work, SmtTarget target, AgentImage image) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace(namespace(node))
        .withName(work.word())
        .addToLabels(NAME, OURS)
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .withHostPID(true)
        // It needs no network of its own, whose setup may wait for another pod.
        .withHostNetwork(true)
        .withRestartPolicy("Never")
        .withTerminationGracePeriodSeconds(1L)
        .withAutomountServiceAccountToken(false)
        .withEnableServiceLinks(false)
        .addNewToleration()
        .withOperator("Exists")
        .endToleration()
        .addNewContainer()
        .withName(OURS)
        .withImage(image.name())
        .withImagePullPolicy(image.pullPolicy())
        .withCommand("/opt/numaspark/numaspark-smt", work.word(), target.word())
        .withNewSecurityContext()
        .withPrivileged(true)
        .withRunAsUser(0L)
        .withRunAsNonRoot(false)
        .endSecurityContext()
        .addNewVolumeMount()
        .withName("host")
        .withMountPath("/host")
        .withMountPropagation("HostToContainer")
        .endVolumeMount()
        .endContainer()
        .addNewVolume()
        .withName("host")
        .withNewHostPath()
        .withPath("/")
        .withType("Directory")
        .endHostPath()
        .endVolume()
        .endSpec()
        .build();
  }

  /** Whether this command has created a pod. */
  static boolean isOurs(Pod pod) {
    return OURS.equals(
            Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of())
                .get(NAME))
        && pod.getMetadata().getNamespace().startsWith(OURS + "-");
  }

  static Progress progress(Pod pod) {
    Optional<ContainerStateTerminated> terminated =
        states(pod).map(ContainerState::getTerminated).filter(Objects::nonNull).findFirst();
    Optional<HostReport> report =
        terminated.map(ContainerStateTerminated::getMessage).flatMap(HostReport::parse);
    Optional<String> ended =
        terminated
            .map(state -> text(state.getReason(), state.getMessage()))
            .or(
                () ->
                    Optional.ofNullable(pod.getStatus())
                        .filter(status -> "Failed".equals(status.getPhase()))
                        .map(status -> text(status.getReason(), status.getMessage())));
    Optional<String> waiting =
        states(pod)
            .map(ContainerState::getWaiting)
            .filter(state -> state != null && HOPELESS.contains(state.getReason()))
            .map(state -> text(state.getReason(), state.getMessage()))
            .findFirst();
    return new Progress(report, ended, waiting);
  }

  private static Stream<ContainerState> states(Pod pod) {
    List<ContainerStatus> containers =
        pod.getStatus() == null ? null : pod.getStatus().getContainerStatuses();
    return Objects.requireNonNullElse(containers, List.<ContainerStatus>of()).stream()
        .map(ContainerStatus::getState)
        .filter(Objects::nonNull);
  }

  private static String text(String reason, String message) {
    String both =
        Stream.of(reason, message)
            .filter(part -> part != null && !part.isBlank())
            .reduce((a, b) -> a + ": " + b)
            .orElse("no reason is given");
    return OneLine.of(both.length() > 500 ? both.substring(0, 500) + "…" : both);
  }
}

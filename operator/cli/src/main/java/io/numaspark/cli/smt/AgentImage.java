package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The image with the program for the node.
 *
 * @param pullPolicy as in a pod
 */
record AgentImage(String name, String pullPolicy) {

  /** That of the agent that runs on the node; empty if none does. */
  static Optional<AgentImage> of(Collection<Pod> pods) {
    return pods.stream()
        .filter(AgentImage::isAgent)
        .flatMap(pod -> pod.getSpec().getContainers().stream())
        .filter(container -> container.getName().equals("reader"))
        .map(AgentImage::of)
        .findFirst();
  }

  /** The node has the image already, and "Never" says that no registry has it. */
  private static AgentImage of(Container reader) {
    return new AgentImage(
        reader.getImage(), "Never".equals(reader.getImagePullPolicy()) ? "Never" : "IfNotPresent");
  }

  private static boolean isAgent(Pod pod) {
    return "numaspark-agent"
        .equals(
            Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.<String, String>of())
                .get("app.kubernetes.io/name"));
  }
}

package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.OutputOption;
import io.numaspark.cli.text.InputException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Answers why a pod is not pinned, or proves that it is. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Shows where an executor runs and whether it is pinned, and if not, why and what to do.",
      "For an executor of others, and any pod with CPUs of its own, shows what the node's agent reports.",
      "For all other pods, shows whether the node's kubelet could pin them."
    },
    footer = {
      "",
      "Example:",
      "  kubectl numaspark why etl-4a1f-exec-3",
    })
final class WhyCommand implements Callable<Integer> {
  @Mixin private ClusterOption cluster;
  @Mixin private OutputOption output;

  @Parameters(index = "0", paramLabel = "POD", description = "Name of the pod.")
  private String name;

  @Override
  public Integer call() {
    try (Cluster open = cluster.open()) {
      Pod pod =
          open.pod(name)
              .orElseThrow(
                  () ->
                      new InputException(
                          "there is no pod %s in namespace %s; choose another with -n"
                              .formatted(name, open.namespace())));
      Optional<SparkApplication> application =
          PodAnswer.applicationOf(pod).flatMap(owner -> open.application(open.namespace(), owner));
      Optional<SparkNodeTopology> topology =
          application.isPresent() || pod.getSpec().getNodeName() == null
              ? Optional.empty()
              : Optional.ofNullable(open.topologies().get(pod.getSpec().getNodeName()));
      Optional<SparkNodeProfile> profile =
          application
              .filter(owner -> pod.getSpec().getNodeName() == null)
              .map(owner -> owner.getSpec().nodeProfile())
              .flatMap(open::profile);
      PodDocument document = PodAnswer.of(pod, application, profile, topology, Instant.now());
      output.print(document, document::text);
      return 0;
    }
  }
}

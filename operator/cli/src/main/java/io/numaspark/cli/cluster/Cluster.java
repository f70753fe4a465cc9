package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkTrial;
import io.numaspark.cli.access.ApiServer;
import io.numaspark.cli.text.InputException;
import io.numaspark.render.profile.ProfilePlanner;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What is read of a cluster, with the credentials of the person who asks.
 *
 * <p>Every method throws {@link InputException} with a remedy if the cluster does not answer, or
 * refuses.
 */
final class Cluster implements AutoCloseable {
  private final KubernetesClient client;
  private final ApiServer server;

  Cluster(Config config) {
    client = new KubernetesClientBuilder().withConfig(config).build();
    server = new ApiServer(client.getMasterUrl().toString());
  }

  /** The namespace that is meant when none is named. */
  String namespace() {
    return Objects.requireNonNullElse(client.getNamespace(), "default");
  }

  List<SparkApplication> applications() {
    return ask(
        "list sparkapplications.numaspark.io in namespace " + namespace(),
        () ->
            sorted(
                client
                    .resources(SparkApplication.class)
                    .inNamespace(namespace())
                    .list()
                    .getItems()));
  }

  List<SparkApplication> applicationsOfAllNamespaces() {
    return ask(
        "list sparkapplications.numaspark.io in all namespaces",
        () -> sorted(client.resources(SparkApplication.class).inAnyNamespace().list().getItems()));
  }

  /** The application of a name; empty if there is none. */
  Optional<SparkApplication> application(String namespace, String name) {
    return ask(
        "get sparkapplications.numaspark.io in namespace " + namespace,
        () ->
            Optional.ofNullable(
                client
                    .resources(SparkApplication.class)
                    .inNamespace(namespace)
                    .withName(name)
                    .get()));
  }

  /** The trial of a name; empty if there is none. */
  Optional<SparkTrial> trial(String name) {
    return ask(
        "get sparktrials.numaspark.io in namespace " + namespace(),
        () ->
            Optional.ofNullable(
                client.resources(SparkTrial.class).inNamespace(namespace()).withName(name).get()));
  }

  List<SparkTrial> trials() {
    return ask(
        "list sparktrials.numaspark.io in namespace " + namespace(),
        () ->
            sorted(client.resources(SparkTrial.class).inNamespace(namespace()).list().getItems()));
  }

  /** All profiles, the oldest first. */
  List<SparkNodeProfile> profiles() {
    return ask(
        "list sparknodeprofiles.numaspark.io",
        () ->
            client.resources(SparkNodeProfile.class).list().getItems().stream()
                .sorted(ProfilePlanner.OLDEST_FIRST)
                .toList());
  }

  /** The profile of a name; empty if there is none, or the person has no right to read it. */
  Optional<SparkNodeProfile> profile(String name) {
    return ask(
        "get sparknodeprofiles.numaspark.io",
        () -> {
          try {
            return Optional.ofNullable(
                client.resources(SparkNodeProfile.class).withName(name).get());
          } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  /** The topologies by node. */
  Map<String, SparkNodeTopology> topologies() {
    Map<String, SparkNodeTopology> byNode = new TreeMap<>();
    ask(
            "list sparknodetopologies.numaspark.io",
            () -> client.resources(SparkNodeTopology.class).list().getItems())
        .forEach(topology -> byNode.put(topology.getMetadata().getName(), topology));
    return byNode;
  }

  /** The nodes that a profile selects, by name. */
  List<Node> nodes(SparkNodeProfile profile) {
    return ask(
        "list nodes",
        () ->
            sorted(
                client
                    .nodes()
                    .withLabelSelector(profile.getSpec().nodeSelector())
                    .list()
                    .getItems()));
  }

  /** All nodes, by name. */
  List<Node> nodes() {
    return ask("list nodes", () -> sorted(client.nodes().list().getItems()));
  }

  Optional<Pod> pod(String name) {
    return ask(
        "get pods in namespace " + namespace(),
        () -> Optional.ofNullable(client.pods().inNamespace(namespace()).withName(name).get()));
  }

  List<Pod> pods() {
    return ask(
        "list pods in namespace " + namespace(),
        () -> sorted(client.pods().inNamespace(namespace()).list().getItems()));
  }

  private static <T extends HasMetadata> List<T> sorted(List<T> objects) {
    return objects.stream()
        .sorted(
            Comparator.comparing(
                    (T object) ->
                        Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""))
                .thenComparing(object -> object.getMetadata().getName()))
        .toList();
  }

  private <T> T ask(String what, Supplier<T> question) {
    return server.ask(what, question);
  }

  @Override
  public void close() {
    client.close();
  }
}

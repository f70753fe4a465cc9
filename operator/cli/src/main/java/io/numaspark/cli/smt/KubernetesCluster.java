package io.numaspark.cli.smt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.cli.access.ApiServer;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster behind its API server, with the credentials of the person who runs the command. */
final class KubernetesCluster implements NodeCluster, AutoCloseable {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KubernetesClient client;
  private final ApiServer server;

  KubernetesCluster(Config config) {
    client = new KubernetesClientBuilder().withConfig(config).build();
    server = new ApiServer(client.getMasterUrl().toString());
  }

  @Override
  public Optional<Node> node(String name) {
    return server.ask("get nodes", () -> Optional.ofNullable(client.nodes().withName(name).get()));
  }

  @Override
  public Optional<SparkNodeTopology> topology(String node) {
    return server.ask(
        "get sparknodetopologies.numaspark.io",
        () -> Optional.ofNullable(client.resources(SparkNodeTopology.class).withName(node).get()));
  }

  @Override
  public List<Pod> pods(String node) {
    return server.ask(
        "list pods in all namespaces",
        () -> client.pods().inAnyNamespace().withField("spec.nodeName", node).list().getItems());
  }

  @Override
  public boolean update(Node seen, Optional<SwitchMark> mark, boolean cordoned) {
    Map<String, Object> annotations = new HashMap<>();
    annotations.put(SwitchMark.ANNOTATION, mark.map(SwitchMark::text).orElse(null));
    Map<String, Object> spec = new HashMap<>();
    spec.put("unschedulable", cordoned ? Boolean.TRUE : null);
    String patch =
        json(
            Map.of(
                "metadata",
                Map.of(
                    "resourceVersion",
                    seen.getMetadata().getResourceVersion(),
                    "annotations",
                    annotations),
                "spec",
                spec));
    return server.ask(
        "patch nodes",
        () -> {
          try {
            client
                .nodes()
                .withName(seen.getMetadata().getName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
            return true;
          } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
              return false;
            }
            throw e;
          }
        });
  }

  private static String json(Map<String, Object> patch) {
    try {
      return JSON.writeValueAsString(patch); // null removes a field
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean evict(Pod pod) {
    String namespace = pod.getMetadata().getNamespace();
    String name = pod.getMetadata().getName();
    return server.ask(
        "create pods/eviction in namespace " + namespace,
        () -> {
          try {
            return client
                .pods()
                .inNamespace(namespace)
                .withName(name)
                .evict(
                    new EvictionBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        // Not another one of this name, which may run elsewhere.
                        .withDeleteOptions(
                            new DeleteOptionsBuilder()
                                .withNewPreconditions()
                                .withUid(pod.getMetadata().getUid())
                                .endPreconditions()
                                .build())
                        .build());
          } catch (KubernetesClientException e) {
            return switch (e.getCode()) {
              case HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT -> true;
              case TOO_MANY_REQUESTS -> false;
              default -> throw e;
            };
          }
        });
  }

  @Override
  public Optional<Namespace> namespace(String name) {
    return server.ask(
        "get namespaces", () -> Optional.ofNullable(client.namespaces().withName(name).get()));
  }

  @Override
  public void create(Namespace namespace) {
    unlessItExists("create namespaces", () -> client.namespaces().resource(namespace).create());
  }

  @Override
  public void deleteNamespace(String name) {
    server.ask("delete namespaces", () -> client.namespaces().withName(name).delete());
  }

  @Override
  public Optional<Pod> pod(String namespace, String name) {
    return server.ask(
        "get pods in namespace " + namespace,
        () -> Optional.ofNullable(client.pods().inNamespace(namespace).withName(name).get()));
  }

  @Override
  public void create(Pod pod) {
    unlessItExists(
        "create pods in namespace " + pod.getMetadata().getNamespace(),
        () -> client.pods().resource(pod).create());
  }

  @Override
  public void delete(String namespace, String pod) {
    server.ask(
        "delete pods in namespace " + namespace,
        () -> client.pods().inNamespace(namespace).withName(pod).delete());
  }

  private void unlessItExists(String what, Runnable creation) {
    server.ask(
        what,
        () -> {
          try {
            creation.run();
          } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
              throw e;
            }
          }
          return true;
        });
  }

  @Override
  public void close() {
    client.close();
  }
}

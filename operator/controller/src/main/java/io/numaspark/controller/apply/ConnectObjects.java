package io.numaspark.controller.apply;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.connect.ConnectApplication;
import io.numaspark.render.connect.ConnectService;
import io.numaspark.render.text.Labels;
import io.numaspark.schema.NullFields;
import java.net.HttpURLConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps the application and the Service of a SparkConnect as they should be, in a way that is safe
 * to repeat.
 *
 * <p>Objects of others are never touched. Limit: what others add to the Service's metadata and
 * ports stays.
 */
public record ConnectObjects(KubernetesClient client) {
  private static final String FIELD_MANAGER = "numaspark";
  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);

  /** What became of the application. */
  public sealed interface Held {
    /** It is as it should be. */
    record Kept(SparkApplication application) implements Held {}

    /** The API server does not take it, or it is somebody else's. */
    record Refused(String message) implements Held {}
  }

  /**
   * Creates the application, or writes the spec over one that differs.
   *
   * @param spec with its defaults
   * @param known the application in a cache, which may be old
   */
  public Held application(
      SparkConnect connect, SparkApplicationSpec spec, Optional<SparkApplication> known) {
    SparkApplication wanted =
        OwnedRuns.application(
            connect,
            new OwnedRuns.Run(ConnectApplication.name(connect), Labels.CONNECT, Map.of(), spec));
    try {
      if (known.isPresent()) {
        return new Held.Kept(kept(wanted, known.get()));
      }
      try {
        return new Held.Kept(client.resource(wanted).create());
      } catch (KubernetesClientException e) {
        return existing(connect, wanted, e);
      }
    } catch (KubernetesClientException e) {
      return new Held.Refused(refusal(e));
    }
  }

  private Held existing(
      SparkConnect connect, SparkApplication wanted, KubernetesClientException e) {
    SparkApplication existing =
        e.getCode() == HttpURLConnection.HTTP_CONFLICT ? client.resource(wanted).get() : null;
    if (existing == null) {
      throw e; // Refused, or deleted in between: then the next attempt creates it.
    }
    return OwnedMetadata.isOf(connect, existing)
        ? new Held.Kept(kept(wanted, existing))
        : new Held.Refused(belongsToOthers(existing));
  }

  /** With the resource version that was read: what was decided on an old copy is not written. */
  private SparkApplication kept(SparkApplication wanted, SparkApplication known) {
    Map<String, String> labels = orEmpty(known.getMetadata().getLabels());
    boolean isSame =
        labels.entrySet().containsAll(wanted.getMetadata().getLabels().entrySet())
            && tree(wanted.getSpec()).equals(tree(known.getSpec()));
    if (isSame || known.getMetadata().getDeletionTimestamp() != null) {
      return known;
    }
    Map<String, String> merged = new HashMap<>(labels);
    merged.putAll(wanted.getMetadata().getLabels());
    SparkApplication replacement = new SparkApplication();
    replacement.setMetadata(new ObjectMetaBuilder(known.getMetadata()).withLabels(merged).build());
    replacement.setSpec(wanted.getSpec());
    return client.resource(replacement).update();
  }

  /** By its text, as trees that were read and trees that were made have other numbers in them. */
  private static JsonNode tree(SparkApplicationSpec spec) {
    try {
      ObjectNode tree = (ObjectNode) JSON.readTree(JSON.writeValueAsString(spec));
      NullFields.drop(tree, "");
      return tree;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a spec that was read as JSON can be written as JSON", e);
    }
  }

  /**
   * Applies the Service, if it differs.
   *
   * @param known the Service in a cache
   * @param isNew whether the spec was not processed before, so that something may have to be
   *     removed
   * @return why the API server does not take it, or empty if it is there
   */
  public Optional<String> service(SparkConnect connect, Optional<Service> known, boolean isNew) {
    Service wanted = owned(connect, ConnectService.of(connect));
    if (!isNew && known.filter(found -> isSame(wanted, found)).isPresent()) {
      return Optional.empty();
    }
    try {
      Service existing = known.orElseGet(() -> client.resource(wanted).get());
      if (existing != null && !OwnedMetadata.isOf(connect, existing)) {
        return Optional.of(belongsToOthers(existing));
      }
      if (existing == null || existing.getMetadata().getDeletionTimestamp() == null) {
        client.resource(wanted).fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
      }
      return Optional.empty();
    } catch (KubernetesClientException e) {
      return Optional.of(refusal(e));
    }
  }

  private static boolean isSame(Service wanted, Service found) {
    ObjectMeta metadata = found.getMetadata();
    return orEmpty(metadata.getLabels())
            .entrySet()
            .containsAll(wanted.getMetadata().getLabels().entrySet())
        && orEmpty(metadata.getAnnotations())
            .entrySet()
            .containsAll(orEmpty(wanted.getMetadata().getAnnotations()).entrySet())
        && wanted.getSpec().getType().equals(found.getSpec().getType())
        && wanted.getSpec().getSelector().equals(found.getSpec().getSelector())
        && ports(wanted).equals(ports(found))
        && ranges(wanted).equals(ranges(found));
  }

  private static List<List<Object>> ports(Service service) {
    return service.getSpec().getPorts().stream()
        .map(
            (ServicePort port) ->
                List.<Object>of(
                    port.getName(),
                    port.getPort(),
                    port.getTargetPort(),
                    Objects.requireNonNullElse(port.getAppProtocol(), "")))
        .toList();
  }

  private static List<String> ranges(Service service) {
    return Objects.requireNonNullElse(service.getSpec().getLoadBalancerSourceRanges(), List.of());
  }

  private static Service owned(SparkConnect connect, Service service) {
    return new ServiceBuilder(service)
        .editMetadata()
        .addNewOwnerReference()
        .withApiVersion(connect.getApiVersion())
        .withKind(connect.getKind())
        .withName(connect.getMetadata().getName())
        .withUid(connect.getMetadata().getUid())
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static String belongsToOthers(HasMetadata existing) {
    return "%s %s exists already and belongs to something else; delete it, or give the SparkConnect another name"
        .formatted(existing.getKind(), existing.getMetadata().getName());
  }

  /** Throws what is worth another attempt. */
  private static String refusal(KubernetesClientException e) {
    if (!OwnedRuns.FINAL.contains(e.getCode())) {
      throw e;
    }
    return e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
  }

  private static Map<String, String> orEmpty(Map<String, String> map) {
    return Objects.requireNonNullElse(map, Map.of());
  }
}

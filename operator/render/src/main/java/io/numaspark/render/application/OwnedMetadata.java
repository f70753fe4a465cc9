package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.text.Labels;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Metadata of everything that is created for an attempt: its labels and its owner. */
public final class OwnedMetadata {
  private OwnedMetadata() {}

  public static ObjectMetaBuilder of(ApplicationIdentity identity, String name) {
    return new ObjectMetaBuilder(new ObjectMeta())
        .withName(name)
        .withNamespace(identity.namespace())
        .withLabels(labels(identity))
        .withOwnerReferences(owner(identity));
  }

  /** The same with the user's labels and annotations; labels that find the object stay. */
  public static ObjectMeta of(
      ApplicationIdentity identity,
      String name,
      Map<String, String> userLabels,
      Map<String, String> userAnnotations) {
    SortedMap<String, String> labels = new TreeMap<>(SparkProperties.orEmpty(userLabels));
    labels.putAll(labels(identity));
    SortedMap<String, String> annotations = new TreeMap<>(SparkProperties.orEmpty(userAnnotations));
    return of(identity, name).withLabels(labels).withAnnotations(annotations).build();
  }

  /** Labels that find the pods of one attempt with one role. */
  public static SortedMap<String, String> selector(ApplicationIdentity identity, String role) {
    return new TreeMap<>(
        Map.of(Labels.SPARK_APP_SELECTOR, identity.names().sparkAppId(), Labels.SPARK_ROLE, role));
  }

  /** Labels of every object of an attempt; the caller may add to them. */
  public static SortedMap<String, String> labels(ApplicationIdentity identity) {
    return new TreeMap<>(
        Map.of(
            Labels.APPLICATION, identity.names().label(),
            Labels.ATTEMPT, String.valueOf(identity.attempt()),
            Labels.MANAGED_BY, Labels.MANAGER,
            Labels.SPARK_APP_SELECTOR, identity.names().sparkAppId()));
  }

  /** Whether an object is owned by another: its name may have been somebody else's before. */
  public static boolean isOf(HasMetadata owner, HasMetadata object) {
    return object.getMetadata().getOwnerReferences().stream()
        .anyMatch(of -> owner.getMetadata().getUid().equals(of.getUid()));
  }

  private static OwnerReference owner(ApplicationIdentity identity) {
    return new OwnerReferenceBuilder()
        .withApiVersion(ApiGroup.NAME + "/" + ApiGroup.VERSION)
        .withKind("SparkApplication")
        .withName(identity.name())
        .withUid(identity.uid())
        .withController(true)
        .build();
  }
}

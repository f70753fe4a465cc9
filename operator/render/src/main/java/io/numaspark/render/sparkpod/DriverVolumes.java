package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The volumes of {@code spark.kubernetes.driver.volumes.TYPE.NAME.*}, as Spark's
 * MountVolumesFeatureStep makes them.
 *
 * <p>A claim that Spark would create ({@code OnDemand}) is a generic ephemeral volume here, which
 * Kubernetes creates and deletes with the pod.
 */
final class DriverVolumes {
  private static final String PREFIX = "spark.kubernetes.driver.volumes.";

  private DriverVolumes() {}

  static void apply(Map<String, String> conf, SparkPod pod) {
    SortedMap<String, SortedMap<String, String>> volumes = new TreeMap<>();
    DriverProperties.withPrefix(conf, PREFIX)
        .forEach(
            (key, value) -> {
              String[] steps = key.split("\\.", 3);
              if (steps.length < 3) {
                throw DriverProperties.refuse(
                    PREFIX + key, "is not a property of a volume; write TYPE.NAME.mount.path");
              }
              volumes
                  .computeIfAbsent(steps[0] + "." + steps[1], volume -> new TreeMap<>())
                  .put(steps[2], value);
            });
    boolean legacy =
        Boolean.parseBoolean(conf.get("spark.kubernetes.legacy.useReadWriteOnceAccessMode"));
    volumes.forEach(
        (volume, options) -> {
          String type = volume.substring(0, volume.indexOf('.'));
          String name = volume.substring(type.length() + 1);
          if (Volumes.OWN.contains(name)) {
            throw DriverProperties.refuse(
                PREFIX + volume, "'" + name + "' is a volume of the operator; use another name");
          }
          pod.putVolume(source(type, name, options, legacy));
          pod.putMount(
              new VolumeMountBuilder()
                  .withName(name)
                  .withMountPath(required(volume, options, "mount.path"))
                  .withReadOnly(Boolean.parseBoolean(options.get("mount.readOnly")) ? true : null)
                  .withSubPath(options.get("mount.subPath"))
                  .withSubPathExpr(options.get("mount.subPathExpr"))
                  .build());
        });
  }

  private static Volume source(
      String type, String name, Map<String, String> options, boolean legacy) {
    String volume = type + "." + name;
    VolumeBuilder builder = new VolumeBuilder().withName(name);
    return switch (type) {
      case "hostPath" ->
          builder
              .withNewHostPath(
                  required(volume, options, "options.path"),
                  options.getOrDefault("options.type", ""))
              .build();
      case "emptyDir" ->
          builder
              .withNewEmptyDir()
              .withMedium(options.get("options.medium"))
              .withSizeLimit(size(volume, options.get("options.sizeLimit")))
              .endEmptyDir()
              .build();
      case "nfs" ->
          builder
              .withNewNfs()
              .withPath(required(volume, options, "options.path"))
              .withServer(required(volume, options, "options.server"))
              .endNfs()
              .build();
      case "persistentVolumeClaim" -> claim(builder, volume, options, legacy);
      default ->
          throw DriverProperties.refuse(
              PREFIX + volume,
              "'"
                  + type
                  + "' is not a type of volume that Spark knows; use hostPath, emptyDir, nfs or"
                  + " persistentVolumeClaim, or spec.volumes for any other");
    };
  }

  private static Volume claim(
      VolumeBuilder builder, String volume, Map<String, String> options, boolean legacy) {
    String claim = required(volume, options, "options.claimName");
    boolean readOnly = Boolean.parseBoolean(options.get("mount.readOnly"));
    if (!claim.contains("OnDemand")) {
      return builder.withNewPersistentVolumeClaim(claim, readOnly ? true : null).build();
    }
    return builder
        .withNewEphemeral()
        .withNewVolumeClaimTemplate()
        .withNewMetadata()
        .withLabels(DriverProperties.withPrefix(options, "label."))
        .withAnnotations(DriverProperties.withPrefix(options, "annotation."))
        .endMetadata()
        .withNewSpec()
        .withStorageClassName(required(volume, options, "options.storageClass"))
        .withAccessModes(legacy ? "ReadWriteOnce" : "ReadWriteOncePod")
        .withNewResources()
        .addToRequests("storage", size(volume, required(volume, options, "options.sizeLimit")))
        .endResources()
        .endSpec()
        .endVolumeClaimTemplate()
        .endEphemeral()
        .build();
  }

  private static Quantity size(String volume, String size) {
    if (size != null && !size.matches("[0-9]{1,19}(\\.[0-9]{1,9})?(Ki|Mi|Gi|Ti|Pi|k|M|G|T|P)?")) {
      throw DriverProperties.refuse(
          PREFIX + volume + ".options.sizeLimit",
          "'" + size + "' is not a size; write for example 100Gi");
    }
    return size == null ? null : new Quantity(size);
  }

  private static String required(String volume, Map<String, String> options, String option) {
    String value = options.get(option);
    if (value == null || value.isEmpty()) {
      throw DriverProperties.refuse(
          PREFIX + volume + "." + option, "is missing; give it, or remove the volume");
    }
    return value;
  }
}

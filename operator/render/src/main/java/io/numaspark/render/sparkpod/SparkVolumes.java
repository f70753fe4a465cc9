package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkProperties;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Volumes whose claim Spark names for each executor: {@code OnDemand}, and names with {@code
 * SPARK_EXECUTOR_ID} (MountVolumesFeatureStep). They become properties; no pod template can say
 * them.
 */
public final class SparkVolumes {
  private SparkVolumes() {}

  /** Names of the volumes that reach the pods of one side by properties. */
  static Set<String> names(Side side, SparkApplicationSpec spec) {
    Set<String> names = new HashSet<>();
    for (Volume volume : Volumes.read(spec).values()) {
      if (isOfSpark(volume)) {
        names.add(volume.getName());
      }
    }
    // The user's own property may declare one that only a sidecar mounts by field.
    String prefix = side.prefix() + "volumes.";
    for (String key : SparkProperties.orEmpty(spec.sparkConf()).keySet()) {
      String[] steps = key.startsWith(prefix) ? key.substring(prefix.length()).split("\\.") : null;
      if (steps != null && steps.length > 2) {
        names.add(steps[1]);
      }
    }
    return names;
  }

  /** The properties of those that one side mounts. */
  public static SortedMap<String, String> properties(Side side, SparkApplicationSpec spec) {
    SortedMap<String, String> properties = new TreeMap<>();
    Map<String, Volume> volumes = Volumes.read(spec);
    for (VolumeMount mount :
        ModelReader.items(side.field("volumeMounts"), side.of(spec).volumeMounts())) {
      Volume volume = volumes.get(mount.getName());
      if (volume == null || !isOfSpark(volume)) {
        continue;
      }
      String prefix = side.prefix() + "volumes.persistentVolumeClaim." + mount.getName() + ".";
      properties.put(prefix + "mount.path", mount.getMountPath());
      properties.put(
          prefix + "mount.readOnly", String.valueOf(Boolean.TRUE.equals(mount.getReadOnly())));
      if (mount.getSubPath() != null) {
        properties.put(prefix + "mount.subPath", mount.getSubPath());
      }
      properties.put(
          prefix + "options.claimName", volume.getPersistentVolumeClaim().getClaimName());
    }
    return properties;
  }

  private static boolean isOfSpark(Volume volume) {
    if (volume.getPersistentVolumeClaim() == null) {
      return false;
    }
    String claim = Objects.requireNonNullElse(volume.getPersistentVolumeClaim().getClaimName(), "");
    return claim.contains("OnDemand") || claim.contains("SPARK_EXECUTOR_ID");
  }
}

package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where a driver writes its temporary files, as Spark's LocalDirsFeatureStep decides it: the mounts
 * of volumes called {@code spark-local-dir-*}, else {@code spark.local.dir}, else one folder.
 *
 * <p>Limit: for the driver; the driver does the same for executors, from their pod template.
 */
public final class LocalFolders {
  private static final String VOLUMES = "spark-local-dir-";
  private static final String DEFAULT_VOLUME = "spark-local";
  private static final String DEFAULT_FOLDER = "/var/data/spark-local";

  private LocalFolders() {}

  /** Mounts the folders and names them in {@code SPARK_LOCAL_DIRS}, unless the user did. */
  public static void apply(Map<String, String> conf, SparkPod pod) {
    List<String> folders =
        new ArrayList<>(
            pod.mounts().stream()
                .filter(mount -> mount.getName().startsWith(VOLUMES))
                .map(VolumeMount::getMountPath)
                .toList());
    if (folders.isEmpty()) {
      boolean inMemory = Boolean.parseBoolean(conf.get("spark.kubernetes.local.dirs.tmpfs"));
      String given = conf.get("spark.local.dir");
      folders.addAll(given == null ? List.of(DEFAULT_FOLDER) : List.of(given.split(",")));
      for (int i = 0; i < folders.size(); i++) {
        String volume = given == null ? DEFAULT_VOLUME : VOLUMES + (i + 1);
        pod.putVolume(
            new VolumeBuilder()
                .withName(volume)
                .withNewEmptyDir()
                .withMedium(inMemory ? "Memory" : null)
                .endEmptyDir()
                .build());
        pod.putMount(Volumes.mount(volume, folders.get(i)));
      }
    }
    pod.putEnvironmentIfAbsent(new EnvVar("SPARK_LOCAL_DIRS", String.join(",", folders), null));
  }
}

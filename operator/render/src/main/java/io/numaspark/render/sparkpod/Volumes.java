package io.numaspark.render.sparkpod;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.numaspark.api.v1alpha1.NamePath;
import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.api.v1alpha1.SecretMount;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The fields that mount things: {@code spec.volumes} with {@code volumeMounts}, {@code configMaps},
 * {@code secrets}, and the two ConfigMaps of the whole application.
 *
 * <p>A pod gets those of {@code spec.volumes} that one of its containers mounts, as with kubeflow.
 */
final class Volumes {
  /** Folder of {@code spec.hadoopConfigMap}, kubeflow's. */
  static final String HADOOP_CONF_FOLDER = "/etc/hadoop/conf";

  /** Names of the operator's own volumes. */
  static final Set<String> OWN =
      Set.of(
          "spark-local",
          "spark-conf",
          "numaspark",
          "numaspark-plugin",
          "numaspark-pages",
          "spark-local-dir-tmpfs");

  private static final int MAX_NAME = 63;

  private Volumes() {}

  static void apply(Side side, SparkApplicationSpec spec, SparkPod pod) {
    PodFields fields = side.of(spec);
    List<VolumeMount> mounts =
        new ArrayList<>(ModelReader.items(side.field("volumeMounts"), fields.volumeMounts()));
    checkMounts(side.field("volumeMounts"), mounts);
    Set<String> bySpark = SparkVolumes.names(side, spec);
    mounts.stream().filter(mount -> !bySpark.contains(mount.getName())).forEach(pod::putMount);
    for (Container other : pod.spec().getContainers()) {
      checkMounts(side.field() + ": container " + other.getName(), other.getVolumeMounts());
    }
    for (Container other : pod.spec().getInitContainers()) {
      checkMounts(side.field() + ": init container " + other.getName(), other.getVolumeMounts());
    }
    Map<String, Volume> given = read(spec);
    pod.mountedVolumes(side).keySet().stream()
        .filter(given::containsKey)
        .filter(name -> !bySpark.contains(name))
        .sorted()
        .forEach(name -> pod.putVolume(given.get(name)));
    addConfigMaps(side, fields, pod);
    addSecrets(side, fields, pod);
    addApplicationConfigMaps(spec, pod);
    pod.mountedVolumes(side)
        .forEach(
            (name, where) -> {
              if (!pod.hasVolume(name) && !bySpark.contains(name)) {
                throw new IllegalArgumentException(
                    where.startsWith("spec.")
                        ? where + ": '" + name + "' is not a volume; add it to spec.volumes"
                        : side.field()
                            + ": "
                            + where
                            + " mounts '"
                            + name
                            + "', which is not a volume; add it to spec.volumes");
              }
            });
  }

  /** {@code spec.volumes} by name. */
  static Map<String, Volume> read(SparkApplicationSpec spec) {
    List<Volume> volumes = new ArrayList<>();
    List<JsonNode> trees = ModelReader.items("spec.volumes", spec.volumes());
    for (int i = 0; i < trees.size(); i++) {
      volumes.add(ModelReader.read("spec.volumes[" + i + "]", trees.get(i), Volume.class));
    }
    checkVolumes("spec.volumes", volumes);
    Map<String, Volume> byName = new LinkedHashMap<>();
    volumes.forEach(volume -> byName.put(volume.getName(), volume));
    return byName;
  }

  /** Every volume needs a name that no other has. */
  static void checkVolumes(String field, List<Volume> volumes) {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < volumes.size(); i++) {
      String name = volumes.get(i).getName();
      String where = field + "[" + i + "].name: ";
      if (name == null || name.isEmpty()) {
        throw new IllegalArgumentException(where + "is missing; give the volume a name");
      }
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            where + "'" + name + "' is given twice; give each volume a name of its own");
      }
      if (OWN.contains(name)) {
        throw new IllegalArgumentException(
            where + "'" + name + "' is a volume of the operator; use another name");
      }
    }
  }

  /** Every mount needs a volume's name and a folder that no other has. */
  static void checkMounts(String field, List<VolumeMount> mounts) {
    Set<String> folders = new HashSet<>();
    for (int i = 0; i < mounts.size(); i++) {
      VolumeMount mount = mounts.get(i);
      String where = field + "[" + i + "]";
      if (mount.getName() == null || mount.getName().isEmpty()) {
        throw new IllegalArgumentException(where + ".name: is missing; give the volume's name");
      }
      if (mount.getMountPath() == null || mount.getMountPath().isEmpty()) {
        throw new IllegalArgumentException(
            where + ".mountPath: is missing; give the folder in the container");
      }
      if (!folders.add(mount.getMountPath())) {
        throw new IllegalArgumentException(
            where
                + ".mountPath: '"
                + mount.getMountPath()
                + "' is mounted twice; give each mount a folder of its own");
      }
    }
  }

  private static void addConfigMaps(Side side, PodFields fields, SparkPod pod) {
    for (NamePath configMap : ModelReader.items(side.field("configMaps"), fields.configMaps())) {
      mountConfigMap(pod, volumeName(configMap.name(), "-vol"), configMap.name(), configMap.path());
    }
  }

  private static void addSecrets(Side side, PodFields fields, SparkPod pod) {
    for (SecretMount secret : ModelReader.items(side.field("secrets"), fields.secrets())) {
      mountSecret(pod, secret.name(), secret.path());
      if (secret.secretType() == SecretMount.SecretType.GCPServiceAccount) {
        pod.putEnvironment(
            new EnvVar("GOOGLE_APPLICATION_CREDENTIALS", secret.path() + "/key.json", null));
      } else if (secret.secretType() == SecretMount.SecretType.HadoopDelegationToken) {
        pod.putEnvironment(
            new EnvVar("HADOOP_TOKEN_FILE_LOCATION", secret.path() + "/hadoop.token", null));
      }
    }
  }

  private static void addApplicationConfigMaps(SparkApplicationSpec spec, SparkPod pod) {
    if (spec.sparkConfigMap() != null) {
      mountConfigMap(pod, "spark-config-map", spec.sparkConfigMap(), SparkPod.SPARK_CONF_FOLDER);
    }
    if (spec.hadoopConfigMap() != null) {
      mountConfigMap(pod, "hadoop-config-map", spec.hadoopConfigMap(), HADOOP_CONF_FOLDER);
      pod.putEnvironmentIfAbsent(new EnvVar("HADOOP_CONF_DIR", HADOOP_CONF_FOLDER, null));
    }
  }

  static void mountConfigMap(SparkPod pod, String volume, String configMap, String folder) {
    pod.putVolume(
        new VolumeBuilder()
            .withName(volume)
            .withNewConfigMap()
            .withName(configMap)
            .endConfigMap()
            .build());
    pod.putMount(mount(volume, folder));
  }

  static void mountSecret(SparkPod pod, String secret, String folder) {
    String volume = volumeName(secret, "-volume");
    pod.putVolume(
        new VolumeBuilder()
            .withName(volume)
            .withNewSecret()
            .withSecretName(secret)
            .endSecret()
            .build());
    pod.putMount(mount(volume, folder));
  }

  static VolumeMount mount(String volume, String folder) {
    return new VolumeMountBuilder().withName(volume).withMountPath(folder).build();
  }

  /**
   * A volume's name for an object's: the latter may have dots and 253 characters, a volume's is one
   * DNS label.
   */
  static String volumeName(String object, String suffix) {
    String name = object.replace('.', '-') + suffix;
    if (name.length() <= MAX_NAME && !object.contains(".")) {
      return name;
    }
    String hash =
        "-"
            + UUID.nameUUIDFromBytes(object.getBytes(StandardCharsets.UTF_8))
                .toString()
                .substring(0, 8);
    int length = Math.min(object.length(), MAX_NAME - hash.length() - suffix.length());
    return object.replace('.', '-').substring(0, length) + hash + suffix;
  }
}

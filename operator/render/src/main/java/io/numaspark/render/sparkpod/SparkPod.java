package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.numaspark.render.conf.SparkProperties;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A pod in the making, with Spark's container apart from the others as in Spark's own class of this
 * name; what comes later replaces what has the same name.
 *
 * <p>Limit: of the metadata it knows labels and annotations, the rest is the caller's.
 */
public final class SparkPod {
  /** Where {@code spec.sparkConfigMap} is mounted, as with kubeflow. */
  public static final String SPARK_CONF_FOLDER = "/etc/spark/conf";

  private final SortedMap<String, String> labels = new TreeMap<>();
  private final SortedMap<String, String> annotations = new TreeMap<>();
  private final Map<String, Volume> volumes = new LinkedHashMap<>();
  private final Map<String, VolumeMount> mounts = new LinkedHashMap<>();
  private final Map<String, EnvVar> environment = new LinkedHashMap<>();
  private final PodSpec spec;
  private final Container container;

  /**
   * A pod.
   *
   * @param spec without Spark's container; it is changed
   * @param container Spark's; it is changed
   */
  SparkPod(PodSpec spec, Container container) {
    this.spec = spec;
    this.container = container;
    spec.getVolumes().forEach(this::putVolume);
    container.getVolumeMounts().forEach(this::putMount);
    container.getEnv().forEach(this::putEnvironment);
  }

  /** The same pod, to be changed apart from this one. */
  public SparkPod copy() {
    SparkPod copy =
        new SparkPod(new PodSpecBuilder(spec).build(), new ContainerBuilder(container).build());
    copy.labels.putAll(labels);
    copy.annotations.putAll(annotations);
    copy.volumes.clear();
    copy.volumes.putAll(volumes);
    copy.mounts.clear();
    copy.mounts.putAll(mounts);
    copy.environment.clear();
    copy.environment.putAll(environment);
    return copy;
  }

  public SortedMap<String, String> labels() {
    return labels;
  }

  public SortedMap<String, String> annotations() {
    return annotations;
  }

  /** The pod without Spark's container, volumes aside. */
  public PodSpec spec() {
    return spec;
  }

  /** Spark's container, environment and mounts aside. */
  public Container container() {
    return container;
  }

  /** Mounts of Spark's container. */
  public List<VolumeMount> mounts() {
    return List.copyOf(mounts.values());
  }

  boolean hasVolume(String name) {
    return volumes.containsKey(name);
  }

  /** Adds a volume, in the place of one of the same name. */
  public void putVolume(Volume volume) {
    volumes.put(volume.getName(), volume);
  }

  /** Mounts a volume in Spark's container, in the place of what is mounted there. */
  public void putMount(VolumeMount mount) {
    mounts.put(mount.getMountPath(), mount);
  }

  /** Sets a variable of Spark's container; later ones may refer to it. */
  public void putEnvironment(EnvVar variable) {
    environment.remove(variable.getName());
    environment.put(variable.getName(), variable);
  }

  /** Variables of Spark's container. */
  public List<EnvVar> environment() {
    return List.copyOf(environment.values());
  }

  /** Sets a variable unless the user did. */
  public void putEnvironmentIfAbsent(EnvVar variable) {
    environment.putIfAbsent(variable.getName(), variable);
  }

  /** Removes a variable that something else sets. */
  public void removeEnvironment(String name) {
    environment.remove(name);
  }

  /** The volumes' names that containers mount, each with the container's field. */
  Map<String, String> mountedVolumes(Side side) {
    Map<String, String> mounted = new LinkedHashMap<>();
    mounts.values().forEach(mount -> mounted.put(mount.getName(), side.field("volumeMounts")));
    for (Container other : spec.getContainers()) {
      other
          .getVolumeMounts()
          .forEach(mount -> mounted.putIfAbsent(mount.getName(), "container " + other.getName()));
    }
    for (Container other : spec.getInitContainers()) {
      other
          .getVolumeMounts()
          .forEach(
              mount -> mounted.putIfAbsent(mount.getName(), "init container " + other.getName()));
    }
    return mounted;
  }

  /** The pod; Spark's container comes first, where tools look for it. */
  public Pod build(ObjectMetaBuilder metadata) {
    container.setEnv(new ArrayList<>(environment.values()));
    container.setVolumeMounts(new ArrayList<>(mounts.values()));
    List<Container> containers = new ArrayList<>();
    containers.add(container);
    containers.addAll(spec.getContainers());
    ObjectMeta given = metadata.build();
    SortedMap<String, String> allLabels = new TreeMap<>(SparkProperties.orEmpty(given.getLabels()));
    allLabels.putAll(labels);
    return new PodBuilder()
        .withMetadata(metadata.withLabels(allLabels).withAnnotations(annotations).build())
        .withNewSpecLike(spec)
        .withVolumes(new ArrayList<>(volumes.values()))
        .withContainers(containers)
        .endSpec()
        .build();
  }
}

package io.numaspark.render.driver;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SparkPorts;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.sparkpod.LocalFolders;
import io.numaspark.render.sparkpod.SparkPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The driver pod after Spark's own contract: what the fields ask for, then what spark-submit would
 * read from the properties, then what makes it this application's driver.
 *
 * <p>The contract is the arguments of the image's entry point, spark.properties, a few environment
 * variables and the ports; it has been the same since Spark 3. Building it here costs no Spark
 * classes and fits every Spark version.
 */
final class DriverPod {
  /** Where the entry point of Spark's images and --properties-file look. */
  private static final String CONF_FOLDER = "/opt/spark/conf";

  private final Request request;
  private final SparkApplicationSpec spec;
  private final ApplicationIdentity identity;
  private final SortedMap<String, String> conf;

  /**
   * A driver pod.
   *
   * @param conf properties of the run, the user's included
   */
  DriverPod(Request request, SortedMap<String, String> conf) {
    this.request = request;
    this.spec = request.spec();
    this.identity = request.identity();
    this.conf = conf;
  }

  /** An image without a version, or a mount of the user's where the operator has one. */
  static Optional<Refusal> refusal(Request request) {
    SparkPod pod = request.driver().pod();
    LocalFolders.apply(request.userConf(), pod);
    return Optional.of("spec.sparkVersion: is missing, but the image's name requires it; set it")
        .filter(message -> needsVersion(request))
        .or(() -> taken(pod, "spark.properties", CONF_FOLDER, ", or use spec.sparkConfigMap"))
        .or(() -> taken(pod, ExecutorPodTemplate.FILE, ExecutorPodTemplate.FOLDER, ""))
        .map(message -> new Refusal(RefusalReason.SPEC_INVALID, message));
  }

  private static boolean needsVersion(Request request) {
    SparkApplicationSpec spec = request.spec();
    return spec.sparkVersion() == null
        && Stream.of(
                request.userConf().get(SparkKeys.DRIVER_IMAGE),
                spec.driver().image(),
                request.userConf().get(SparkKeys.IMAGE),
                spec.image())
            .filter(Objects::nonNull)
            .findFirst()
            .filter(image -> image.contains(ImageName.SPARK_VERSION))
            .isPresent();
  }

  private static Optional<String> taken(SparkPod pod, String file, String folder, String instead) {
    return pod.mounts().stream()
        .filter(mount -> mount.getMountPath().equals(folder))
        .findFirst()
        .map(
            mount ->
                "spec.driver: volume '%s' is mounted at %s, where the operator mounts %s; mount it elsewhere%s"
                    .formatted(mount.getName(), folder, file, instead));
  }

  /**
   * The pod.
   *
   * @param metadata name, namespace and owner
   * @param labels that find it; no field or property replaces them
   */
  Pod build(ObjectMetaBuilder metadata, Map<String, String> labels) {
    SparkPod pod = request.driver().pod();
    identity.podLabels().forEach(pod.labels()::putIfAbsent);
    pod.labels().putAll(labels);
    completeEnvironment(pod);
    mount(pod, "spark-conf", "spark.properties", CONF_FOLDER);
    mount(pod, "numaspark", ExecutorPodTemplate.FILE, ExecutorPodTemplate.FOLDER);
    completeContainer(pod.container());
    pod.spec().setServiceAccountName(conf.get(SparkKeys.SERVICE_ACCOUNT));
    pod.spec().setServiceAccount(null);
    pod.spec().setRestartPolicy("Never");
    if (pod.spec().getEnableServiceLinks() == null) {
      pod.spec().setEnableServiceLinks(false);
    }
    return pod.build(metadata);
  }

  private void mount(SparkPod pod, String name, String file, String folder) {
    Volume volume =
        new VolumeBuilder()
            .withName(name)
            .withNewConfigMap()
            .withName(identity.names().configMap())
            .addNewItem(file, null, file)
            .endConfigMap()
            .build();
    pod.putVolume(volume);
    VolumeMount mount = new VolumeMount();
    mount.setName(name);
    mount.setMountPath(folder);
    pod.putMount(mount);
  }

  /** A user's value wins unless the driver would not find its own pod or address with it. */
  private void completeEnvironment(SparkPod pod) {
    pod.putEnvironmentIfAbsent(new EnvVar("SPARK_USER", "spark", null));
    pod.putEnvironment(new EnvVar("SPARK_APPLICATION_ID", identity.names().sparkAppId(), null));
    pod.putEnvironment(
        new EnvVarBuilder()
            .withName("SPARK_DRIVER_BIND_ADDRESS")
            .withNewValueFrom()
            .withNewFieldRef("v1", "status.podIP")
            .endValueFrom()
            .build());
    LocalFolders.apply(conf, pod);
    pod.putEnvironmentIfAbsent(
        new EnvVar(
            "SPARK_CONF_DIR",
            spec.sparkConfigMap() == null ? CONF_FOLDER : SparkPod.SPARK_CONF_FOLDER,
            null));
  }

  private void completeContainer(Container container) {
    container.setImage(conf.getOrDefault(SparkKeys.DRIVER_IMAGE, conf.get(SparkKeys.IMAGE)));
    container.setImagePullPolicy(conf.get("spark.kubernetes.container.image.pullPolicy"));
    List<String> arguments = new ArrayList<>(container.getArgs());
    arguments.addAll(arguments());
    container.setArgs(arguments);
    List<ContainerPort> ports = new ArrayList<>();
    ports.add(port("driver-rpc-port", SparkPorts.DRIVER));
    ports.add(port("blockmanager", SparkPorts.BLOCK_MANAGER));
    ports.add(port("spark-ui", request.uiPort()));
    for (ContainerPort own : List.copyOf(ports)) {
      container
          .getPorts()
          .removeIf(
              given ->
                  own.getContainerPort().equals(given.getContainerPort())
                      || own.getName().equals(given.getName()));
    }
    ports.addAll(container.getPorts());
    container.setPorts(ports);
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>(List.of("driver"));
    if (spec.proxyUser() != null) {
      arguments.addAll(List.of("--proxy-user", spec.proxyUser()));
    }
    arguments.addAll(List.of("--properties-file", CONF_FOLDER + "/spark.properties"));
    arguments.addAll(List.of("--class", mainClass(), spec.mainApplicationFile()));
    arguments.addAll(Objects.requireNonNullElse(spec.arguments(), List.of()));
    return arguments;
  }

  /** Spark runs Python and R through classes of its own (SparkSubmit: prepareSubmitEnvironment). */
  private String mainClass() {
    return switch (spec.type()) {
      case Java, Scala -> spec.mainClass();
      case Python -> "org.apache.spark.deploy.PythonRunner";
      case R -> "org.apache.spark.deploy.RRunner";
    };
  }

  private static ContainerPort port(String name, int port) {
    return new ContainerPortBuilder()
        .withName(name)
        .withContainerPort(port)
        .withProtocol("TCP")
        .build();
  }
}

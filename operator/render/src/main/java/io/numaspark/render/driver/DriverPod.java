package io.numaspark.render.driver;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.MemorySize;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.CpuAmount;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SparkMemory;
import io.numaspark.render.application.SparkPorts;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.sparkpod.DriverProperties;
import io.numaspark.render.sparkpod.LocalFolders;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkPod;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;

/**
 * The driver pod after Spark's own contract: what the fields ask for, then what spark-submit would
 * read from the properties, then what makes it this application's driver.
 *
 * <p>The contract is the arguments of the image's entry point, spark.properties, a few environment
 * variables and the ports; it has been the same since Spark 3. Building it here costs no Spark
 * classes and fits every Spark version.
 */
final class DriverPod {
  static final String REQUEST_CORES = "spark.kubernetes.driver.request.cores";
  static final String LIMIT_CORES = "spark.kubernetes.driver.limit.cores";

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

  /**
   * The pod.
   *
   * @param metadata name, namespace and owner
   * @param labels that find it; no field or property replaces them
   * @throws IllegalArgumentException naming the property that no driver can be made from
   */
  Pod build(ObjectMetaBuilder metadata, Map<String, String> labels) {
    SparkPod pod = request.pods().of(Side.DRIVER).pod();
    new DriverProperties(conf).apply(pod, identity.names().sparkAppId());
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
    Set<LocalObjectReference> secrets = new LinkedHashSet<>(pod.spec().getImagePullSecrets());
    String given = conf.get("spark.kubernetes.container.image.pullSecrets");
    if (given != null) {
      for (String secret : given.split(",")) {
        secrets.add(new LocalObjectReference(secret.strip()));
      }
    }
    pod.spec().setImagePullSecrets(new ArrayList<>(secrets));
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
    for (VolumeMount mount : pod.mounts()) {
      if (mount.getMountPath().equals(folder)) {
        throw new IllegalArgumentException(
            "spec.driver: volume '"
                + mount.getName()
                + "' is mounted at "
                + folder
                + ", where the operator mounts "
                + file
                + "; mount it elsewhere"
                + (folder.equals(CONF_FOLDER) ? ", or use spec.sparkConfigMap" : ""));
      }
    }
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
    container.setImage(image());
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
    container.setResources(resources(container.getResources()));
  }

  private String image() {
    String image = conf.getOrDefault(SparkKeys.DRIVER_IMAGE, conf.get(SparkKeys.IMAGE));
    if (image.contains(ImageName.SPARK_VERSION)) {
      throw new IllegalArgumentException(
          "spec.sparkVersion: is missing, but the image's name requires it; set it");
    }
    return image;
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

  /** Request without an equal integer CPU limit: the driver must not take exclusive CPUs. */
  private ResourceRequirements resources(ResourceRequirements given) {
    Quantity memory = new Quantity(SparkMemory.driverMib(conf) + "Mi");
    Quantity cpu =
        cpu(
            REQUEST_CORES,
            Objects.requireNonNullElse(
                spec.driver().coreRequest(), conf.get("spark.driver.cores")));
    ResourceRequirementsBuilder resources =
        new ResourceRequirementsBuilder(
                Objects.requireNonNullElse(given, new ResourceRequirements()))
            .addToRequests("memory", memory)
            .addToRequests("cpu", cpu)
            .addToLimits("memory", memoryLimit(memory));
    Quantity limit = cpu(LIMIT_CORES, spec.driver().coreLimit());
    if (limit != null) {
      resources.addToLimits("cpu", limit);
    }
    Quantity inEffect = resources.getLimits().get("cpu");
    if (inEffect != null && inEffect.getNumericalAmount().compareTo(cpu.getNumericalAmount()) < 0) {
      throw new IllegalArgumentException(
          "spec.driver.coreLimit: "
              + inEffect
              + " is less than the request of "
              + cpu
              + "; give as much or more, or a smaller spec.driver.coreRequest");
    }
    return resources.build();
  }

  private Quantity cpu(String property, String field) {
    String amount = conf.getOrDefault(property, field);
    return amount == null ? null : CpuAmount.of(property, amount);
  }

  private Quantity memoryLimit(Quantity request) {
    String given = spec.driver().memoryLimit();
    if (given == null) {
      return request;
    }
    long limit = MemorySize.ofSpark(given) / MemorySize.MIB;
    if (limit < SparkMemory.driverMib(conf)) {
      throw new IllegalArgumentException(
          "spec.driver.memoryLimit: "
              + given
              + " is less than the request of "
              + SparkMemory.driverMib(conf)
              + "m, which is spec.driver.memory and memoryOverhead; give as much or more");
    }
    return new Quantity(limit + "Mi");
  }

  private static ContainerPort port(String name, int port) {
    return new ContainerPortBuilder()
        .withName(name)
        .withContainerPort(port)
        .withProtocol("TCP")
        .build();
  }
}

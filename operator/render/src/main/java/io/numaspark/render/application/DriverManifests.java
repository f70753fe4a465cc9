package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.Labels;
import io.numaspark.render.SparkPropertiesText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Driver pod, configuration and headless Service after Spark's own driver contract.
 *
 * <p>The contract is the arguments of the image's entry point, spark.properties, a few environment
 * variables and the ports; it has been the same since Spark 3. Building it here costs no Spark
 * classes and fits every Spark version.
 */
final class DriverManifests {
  private static final String CONF_FOLDER = "/opt/spark/conf";
  private static final String LOCAL_FOLDER = "/var/data/spark-local";
  private static final int UI_PORT = 4040;

  private final SparkApplicationSpec spec;
  private final ApplicationIdentity identity;
  private final SortedMap<String, String> conf;

  DriverManifests(
      SparkApplicationSpec spec, ApplicationIdentity identity, SortedMap<String, String> conf) {
    this.spec = spec;
    this.identity = identity;
    this.conf = conf;
  }

  Service service() {
    return new ServiceBuilder()
        .withMetadata(metadata(identity.names().driverService()).build())
        .withNewSpec()
        .withClusterIP("None")
        .withSelector(
            new TreeMap<>(
                Map.of(
                    Labels.SPARK_APP_SELECTOR,
                    identity.names().sparkAppId(),
                    Labels.SPARK_ROLE,
                    Labels.ROLE_DRIVER)))
        .withPorts(
            servicePort("driver-rpc-port", SparkConf.DRIVER_PORT),
            servicePort("blockmanager", SparkConf.BLOCK_MANAGER_PORT),
            servicePort("spark-ui", uiPort(conf)))
        .endSpec()
        .build();
  }

  ConfigMap configuration(Pod executorTemplate) {
    return new ConfigMapBuilder()
        .withMetadata(metadata(identity.names().configMap()).build())
        .withImmutable(true)
        .addToData("spark.properties", SparkPropertiesText.format(conf))
        .addToData(ExecutorPodTemplate.FILE, Serialization.asYaml(executorTemplate))
        .build();
  }

  Pod pod(String serviceAccount) {
    DriverSpec driver = spec.driver();
    Map<String, String> labels = new TreeMap<>(SparkConf.orEmpty(driver.labels()));
    labels.putAll(driverLabels());
    return new PodBuilder()
        .withMetadata(
            metadata(identity.names().driverPod())
                .withLabels(labels)
                .withAnnotations(driver.annotations())
                .build())
        .withNewSpec()
        .withServiceAccountName(serviceAccount)
        .withRestartPolicy("Never")
        .withEnableServiceLinks(false)
        .withNodeSelector(driver.nodeSelector())
        .withTolerations(driver.tolerations())
        .withImagePullSecrets(
            Objects.requireNonNullElse(spec.imagePullSecrets(), List.<String>of()).stream()
                .map(LocalObjectReference::new)
                .toList())
        .addNewVolume()
        .withName("spark-local")
        .withNewEmptyDir()
        .endEmptyDir()
        .endVolume()
        .addNewVolume()
        .withName("spark-conf")
        .withNewConfigMap()
        .withName(identity.names().configMap())
        .addNewItem("spark.properties", null, "spark.properties")
        .endConfigMap()
        .endVolume()
        .addNewVolume()
        .withName("numaspark")
        .withNewConfigMap()
        .withName(identity.names().configMap())
        .addNewItem(ExecutorPodTemplate.FILE, null, ExecutorPodTemplate.FILE)
        .endConfigMap()
        .endVolume()
        .withContainers(container())
        .endSpec()
        .build();
  }

  /** The port of the driver's web UI. */
  static int uiPort(Map<String, String> conf) {
    String port = conf.getOrDefault("spark.ui.port", "");
    return port.matches("[1-9][0-9]{1,4}") ? Integer.parseInt(port) : UI_PORT;
  }

  private Container container() {
    return new ContainerBuilder()
        .withName(Labels.DRIVER_CONTAINER)
        .withImage(spec.image())
        .withImagePullPolicy(spec.imagePullPolicy() == null ? null : spec.imagePullPolicy().name())
        .withArgs(arguments())
        .withEnv(environment())
        .withPorts(
            containerPort("driver-rpc-port", SparkConf.DRIVER_PORT),
            containerPort("blockmanager", SparkConf.BLOCK_MANAGER_PORT),
            containerPort("spark-ui", uiPort(conf)))
        .withResources(resources())
        .withNewSecurityContext()
        .withAllowPrivilegeEscalation(false)
        .withNewSeccompProfile()
        .withType("RuntimeDefault")
        .endSeccompProfile()
        .endSecurityContext()
        .addNewVolumeMount()
        .withName("spark-local")
        .withMountPath(LOCAL_FOLDER)
        .endVolumeMount()
        .addNewVolumeMount()
        .withName("spark-conf")
        .withMountPath(CONF_FOLDER)
        .endVolumeMount()
        .addNewVolumeMount()
        .withName("numaspark")
        .withMountPath(ExecutorPodTemplate.FOLDER)
        .endVolumeMount()
        .build();
  }

  private List<String> arguments() {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "driver",
                "--properties-file",
                CONF_FOLDER + "/spark.properties",
                "--class",
                mainClass()));
    arguments.add(spec.mainApplicationFile());
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

  private List<EnvVar> environment() {
    List<EnvVar> environment =
        new ArrayList<>(Objects.requireNonNullElse(spec.driver().env(), List.of()));
    environment.add(new EnvVar("SPARK_USER", "spark", null));
    environment.add(new EnvVar("SPARK_APPLICATION_ID", identity.names().sparkAppId(), null));
    environment.add(
        new EnvVarBuilder()
            .withName("SPARK_DRIVER_BIND_ADDRESS")
            .withNewValueFrom()
            .withNewFieldRef("v1", "status.podIP")
            .endValueFrom()
            .build());
    environment.add(new EnvVar("SPARK_LOCAL_DIRS", LOCAL_FOLDER, null));
    environment.add(new EnvVar("SPARK_CONF_DIR", CONF_FOLDER, null));
    return environment;
  }

  /** Request without an equal integer CPU limit: the driver must not take exclusive CPUs. */
  private ResourceRequirements resources() {
    Quantity memory = new Quantity(SparkMemory.driverMib(conf) + "Mi");
    ResourceRequirementsBuilder resources =
        new ResourceRequirementsBuilder()
            .addToRequests("memory", memory)
            .addToLimits("memory", memory)
            .addToRequests(
                "cpu",
                new Quantity(
                    Objects.requireNonNullElse(
                        spec.driver().coreRequest(), conf.get("spark.driver.cores"))));
    if (spec.driver().coreLimit() != null) {
      resources.addToLimits("cpu", new Quantity(spec.driver().coreLimit()));
    }
    return resources.build();
  }

  private ObjectMetaBuilder metadata(String name) {
    return OwnedMetadata.of(identity, name);
  }

  private Map<String, String> driverLabels() {
    Map<String, String> labels = new TreeMap<>();
    labels.put(Labels.APPLICATION, identity.names().label());
    labels.put(Labels.ATTEMPT, String.valueOf(identity.attempt()));
    labels.put(Labels.MANAGED_BY, Labels.MANAGER);
    labels.put(Labels.SPARK_APP_SELECTOR, identity.names().sparkAppId());
    labels.put(Labels.SPARK_APP_NAME, identity.names().label());
    labels.put(Labels.SPARK_ROLE, Labels.ROLE_DRIVER);
    if (spec.sparkVersion() != null) {
      labels.put(Labels.SPARK_VERSION, spec.sparkVersion());
    }
    if (spec.nodeProfile() != null) {
      labels.put(Labels.PROFILE, spec.nodeProfile());
    }
    return labels;
  }

  private static ServicePort servicePort(String name, int port) {
    return new ServicePortBuilder().withName(name).withPort(port).withNewTargetPort(port).build();
  }

  private static ContainerPort containerPort(String name, int port) {
    return new ContainerPortBuilder()
        .withName(name)
        .withContainerPort(port)
        .withProtocol("TCP")
        .build();
  }
}

package io.numaspark.render.driver;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SparkPorts;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.sparkpod.DriverProperties;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.SparkPropertiesText;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Driver pod, configuration and headless Service of one attempt, with its names and owner. */
public final class DriverManifests {
  private final Request request;
  private final SparkApplicationSpec spec;
  private final ApplicationIdentity identity;
  private final SortedMap<String, String> conf;

  public DriverManifests(Request request, SparkProperties properties) {
    this.request = request;
    this.spec = request.spec();
    this.identity = request.identity();
    this.conf = properties.asMap();
  }

  /** Headless, as in Spark's DriverServiceFeatureStep: executors find the driver by its name. */
  public Service service() {
    ObjectMetaBuilder metadata = metadata(identity.names().driverService());
    ObjectMeta own = metadata.build();
    metadata
        .addToLabels(SparkProperties.orEmpty(spec.driver().serviceLabels()))
        .addToLabels(byPrefix("spark.kubernetes.driver.service.label."))
        .addToLabels(own.getLabels())
        .addToAnnotations(SparkProperties.orEmpty(spec.driver().serviceAnnotations()))
        .addToAnnotations(byPrefix("spark.kubernetes.driver.service.annotation."));
    String families = conf.get("spark.kubernetes.driver.service.ipFamilies");
    return new ServiceBuilder()
        .withMetadata(sorted(metadata.build()))
        .withNewSpec()
        .withClusterIP("None")
        .withIpFamilyPolicy(conf.get("spark.kubernetes.driver.service.ipFamilyPolicy"))
        .withIpFamilies(families == null ? List.of() : List.of(families.split(",")))
        .withPublishNotReadyAddresses(
            Boolean.parseBoolean(
                    conf.get("spark.kubernetes.driver.service.publishNotReadyAddresses"))
                ? true
                : null)
        .withSelector(OwnedMetadata.selector(identity, Labels.ROLE_DRIVER))
        .withPorts(
            servicePort("driver-rpc-port", SparkPorts.DRIVER),
            servicePort("blockmanager", SparkPorts.BLOCK_MANAGER),
            servicePort("spark-ui", request.uiPort()))
        .endSpec()
        .build();
  }

  private SortedMap<String, String> byPrefix(String prefix) {
    return DriverProperties.withPrefix(conf, prefix);
  }

  private static ObjectMeta sorted(ObjectMeta metadata) {
    metadata.setLabels(new TreeMap<>(metadata.getLabels()));
    metadata.setAnnotations(new TreeMap<>(metadata.getAnnotations()));
    return metadata;
  }

  public ConfigMap configuration(Pod executorTemplate) {
    return new ConfigMapBuilder()
        .withMetadata(metadata(identity.names().configMap()).build())
        .withImmutable(true)
        .addToData("spark.properties", SparkPropertiesText.format(conf))
        .addToData(ExecutorPodTemplate.FILE, Serialization.asYaml(executorTemplate))
        .build();
  }

  public Pod pod() {
    return new DriverPod(request, conf)
        .build(metadata(identity.names().driverPod()), driverLabels());
  }

  private ObjectMetaBuilder metadata(String name) {
    return OwnedMetadata.of(identity, name);
  }

  private Map<String, String> driverLabels() {
    Map<String, String> labels = OwnedMetadata.labels(identity);
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
}

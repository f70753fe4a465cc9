package io.numaspark.render.sparkpod;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerPort;
import io.fabric8.kubernetes.api.model.ContainerPortBuilder;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.Lifecycle;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Toleration;
import io.numaspark.api.v1alpha1.Gpu;
import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.api.v1alpha1.PortFields;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.GivenPods.GivenPod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Makes the pod that the fields of one side ask for: the template first, then the typed fields,
 * which win.
 *
 * <p>Limit: CPU, memory, image and what connects the pod with its application are not in it; Spark
 * sets them for executors, and {@code DriverPod} for drivers.
 */
final class FieldPods {
  private FieldPods() {}

  /**
   * The pod of one side.
   *
   * @throws IllegalArgumentException naming the field that does not fit and the remedy
   */
  static GivenPod read(Side side, SparkApplicationSpec spec) {
    PodFields fields = side.of(spec);
    ModelReader.Known<SparkPod> template = PodTemplates.read(side, spec);
    SparkPod pod = template.value();
    if (side == Side.DRIVER) {
      // Executors get theirs by properties, with which Spark marks them as well.
      pod.labels().putAll(SparkProperties.orEmpty(fields.labels()));
    }
    pod.annotations().putAll(SparkProperties.orEmpty(fields.annotations()));
    Environment.apply(side, fields, pod);
    addContainers(side, fields, pod);
    Volumes.apply(side, spec, pod);
    schedule(side, spec, fields, pod.spec());
    connect(side, fields, pod);
    end(side, fields, pod);
    if (side == Side.EXECUTOR && spec.decommission() != null) {
      giveTime(GivenPods.graceSeconds(spec.decommission()), pod.spec());
    }
    addDevices(side, fields.gpu(), pod.container());
    Security.apply(side, fields, pod);
    Optional<String> serviceAccount =
        Optional.ofNullable(fields.serviceAccount())
            .or(() -> Optional.ofNullable(pod.spec().getServiceAccountName()))
            .or(() -> Optional.ofNullable(pod.spec().getServiceAccount()));
    return new GivenPod(pod, serviceAccount, template.unknown());
  }

  private static void addContainers(Side side, PodFields fields, SparkPod pod) {
    Set<String> taken = new HashSet<>(Set.of(side.container()));
    List<Container> initContainers = new ArrayList<>(pod.spec().getInitContainers());
    List<Container> containers = new ArrayList<>(pod.spec().getContainers());
    initContainers.forEach(container -> taken.add(container.getName()));
    containers.forEach(container -> taken.add(container.getName()));
    List<Container> sidecars = containers(side.field("sidecars"), fields.sidecars(), taken);
    sidecars.forEach(container -> taken.add(container.getName()));
    containers.addAll(sidecars);
    initContainers.addAll(containers(side.field("initContainers"), fields.initContainers(), taken));
    pod.spec().setContainers(containers);
    pod.spec().setInitContainers(initContainers);
  }

  private static List<Container> containers(String field, List<JsonNode> trees, Set<String> taken) {
    List<Container> containers = new ArrayList<>();
    List<JsonNode> given = ModelReader.items(field, trees);
    for (int i = 0; i < given.size(); i++) {
      containers.add(ModelReader.read(field + "[" + i + "]", given.get(i), Container.class));
    }
    PodTemplates.checkNames(field, containers, taken);
    return containers;
  }

  private static void schedule(
      Side side, SparkApplicationSpec spec, PodFields fields, PodSpec pod) {
    Map<String, String> nodeSelector =
        new TreeMap<>(SparkProperties.orEmpty(pod.getNodeSelector()));
    nodeSelector.putAll(SparkProperties.orEmpty(spec.nodeSelector()));
    nodeSelector.putAll(SparkProperties.orEmpty(fields.nodeSelector()));
    pod.setNodeSelector(nodeSelector);
    List<Toleration> tolerations = new ArrayList<>(pod.getTolerations());
    tolerations.addAll(ModelReader.items(side.field("tolerations"), fields.tolerations()));
    pod.setTolerations(tolerations);
    if (isGiven(fields.affinity())) {
      pod.setAffinity(ModelReader.read(side.field("affinity"), fields.affinity(), Affinity.class));
    }
    if (fields.schedulerName() != null) {
      pod.setSchedulerName(fields.schedulerName());
    }
    if (fields.priorityClassName() != null) {
      pod.setPriorityClassName(fields.priorityClassName());
      // The admission plugin sets the number that belongs to the class.
      pod.setPriority(null);
    }
  }

  private static void connect(Side side, PodFields fields, SparkPod sparkPod) {
    PodSpec pod = sparkPod.spec();
    if (fields.hostNetwork() != null) {
      pod.setHostNetwork(fields.hostNetwork());
    }
    if (Boolean.TRUE.equals(pod.getHostNetwork()) && pod.getDnsPolicy() == null) {
      // With the default policy such a pod would not find the driver's Service.
      pod.setDnsPolicy("ClusterFirstWithHostNet");
    }
    if (fields.dnsConfig() != null) {
      pod.setDnsConfig(fields.dnsConfig());
    }
    if (fields.shareProcessNamespace() != null) {
      pod.setShareProcessNamespace(fields.shareProcessNamespace());
    }
    List<HostAlias> aliases = new ArrayList<>(pod.getHostAliases());
    aliases.addAll(ModelReader.items(side.field("hostAliases"), fields.hostAliases()));
    pod.setHostAliases(aliases);
    addPorts(side, fields, sparkPod.container());
  }

  private static void addPorts(Side side, PodFields fields, Container container) {
    List<ContainerPort> ports = new ArrayList<>(container.getPorts());
    Set<String> names = new HashSet<>();
    ports.forEach(port -> names.add(port.getName()));
    List<PortFields> given = ModelReader.items(side.field("ports"), fields.ports());
    for (int i = 0; i < given.size(); i++) {
      PortFields port = given.get(i);
      String field = side.field("ports") + "[" + i + "]";
      if (port.name() == null || port.containerPort() == null) {
        throw new IllegalArgumentException(field + ": give name and containerPort");
      }
      if (!names.add(port.name())) {
        throw new IllegalArgumentException(
            field + ".name: '" + port.name() + "' is given twice; give each port its own");
      }
      ports.add(
          new ContainerPortBuilder()
              .withName(port.name())
              .withContainerPort(port.containerPort())
              .withProtocol(port.protocol().name())
              .build());
    }
    container.setPorts(ports);
  }

  private static void end(Side side, PodFields fields, SparkPod pod) {
    if (isGiven(fields.lifecycle())) {
      pod.container()
          .setLifecycle(
              ModelReader.read(side.field("lifecycle"), fields.lifecycle(), Lifecycle.class));
    }
    if (fields.terminationGracePeriodSeconds() != null) {
      if (fields.terminationGracePeriodSeconds() < 0) {
        throw new IllegalArgumentException(
            side.field("terminationGracePeriodSeconds")
                + ": "
                + fields.terminationGracePeriodSeconds()
                + " is negative; give 0 or more");
      }
      pod.spec().setTerminationGracePeriodSeconds(fields.terminationGracePeriodSeconds());
    }
  }

  /** For Spark's preStop hook, which counts in the grace period. */
  private static void giveTime(int graceSeconds, PodSpec pod) {
    Long given = pod.getTerminationGracePeriodSeconds();
    if (given != null && given < graceSeconds) {
      throw new IllegalArgumentException(
          "%s: is %d, shorter than the %d seconds of spec.decommission.graceSeconds; remove it"
              .formatted(
                  Side.EXECUTOR.field("terminationGracePeriodSeconds"), given, graceSeconds));
    }
    if (given == null) {
      pod.setTerminationGracePeriodSeconds((long) graceSeconds);
    }
  }

  /** A limit is the request of an extended resource as well. */
  private static void addDevices(Side side, Gpu gpu, Container container) {
    if (gpu == null) {
      return;
    }
    if (gpu.name() == null || gpu.name().isEmpty() || gpu.quantity() == null) {
      throw new IllegalArgumentException(
          side.field("gpu") + ": give name, for example nvidia.com/gpu, and quantity");
    }
    if (gpu.quantity() < 1) {
      throw new IllegalArgumentException(
          side.field("gpu.quantity") + ": is " + gpu.quantity() + "; give 1 or more");
    }
    ResourceRequirements resources =
        Objects.requireNonNullElse(container.getResources(), new ResourceRequirements());
    container.setResources(
        new ResourceRequirementsBuilder(resources)
            .addToLimits(gpu.name(), new Quantity(String.valueOf(gpu.quantity())))
            .build());
  }

  static boolean isGiven(JsonNode tree) {
    return tree != null && !tree.isNull();
  }
}

package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.conf.SparkProperties;
import io.numaspark.render.sparkpod.DriverProperties;
import io.numaspark.render.sparkpod.GivenPods;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkPod;
import io.numaspark.render.sparkpod.SparkVolumes;
import io.numaspark.render.text.MemorySize;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The driver pod that an application asks for: its fields and template, then the properties that
 * spark-submit would read, then its size.
 *
 * <p>Limit: what makes it the driver of one attempt (names, arguments, ports) is not in it.
 */
public final class DriverRequest {
  private static final String REQUEST_CORES = "spark.kubernetes.driver.request.cores";
  private static final String LIMIT_CORES = "spark.kubernetes.driver.limit.cores";
  private static final String PULL_SECRETS = "spark.kubernetes.container.image.pullSecrets";

  private final SparkApplicationSpec spec;
  private final SortedMap<String, String> conf = new TreeMap<>();
  private final SparkPod pod;

  private DriverRequest(SparkApplicationSpec spec, SparkPod pod) {
    this.spec = spec;
    this.pod = pod;
    conf.putAll(SparkVolumes.properties(Side.DRIVER, spec));
    conf.putAll(SparkProperties.orEmpty(spec.sparkConf()));
  }

  /**
   * The request of one attempt.
   *
   * @throws IllegalArgumentException naming the field or property that no driver can be made from
   */
  static DriverRequest of(Attempt attempt, GivenPods pods) {
    DriverRequest driver = new DriverRequest(attempt.spec(), pods.of(Side.DRIVER).pod());
    new DriverProperties(driver.conf).apply(driver.pod, attempt.identity().names().sparkAppId());
    driver.pod.container().setResources(driver.resources());
    Set<LocalObjectReference> secrets =
        new LinkedHashSet<>(driver.pod.spec().getImagePullSecrets());
    driver.pullSecrets().map(LocalObjectReference::new).forEach(secrets::add);
    driver.pod.spec().setImagePullSecrets(new ArrayList<>(secrets));
    return driver;
  }

  /** The pod; the caller may change it. */
  public SparkPod pod() {
    return pod.copy();
  }

  private Stream<String> pullSecrets() {
    return conf.containsKey(PULL_SECRETS)
        ? Stream.of(conf.get(PULL_SECRETS).split(",")).map(String::strip)
        : Objects.requireNonNullElse(spec.imagePullSecrets(), List.<String>of()).stream();
  }

  /** Request without an equal integer CPU limit: the driver must not take exclusive CPUs. */
  private ResourceRequirements resources() {
    DriverSpec fields = spec.driver();
    String cores = conf.getOrDefault("spark.driver.cores", String.valueOf(fields.cores()));
    Quantity cpu = cpu(REQUEST_CORES, Objects.requireNonNullElse(fields.coreRequest(), cores));
    long memory = SparkMemory.driverMib(spec);
    ResourceRequirementsBuilder resources =
        new ResourceRequirementsBuilder(
                Objects.requireNonNullElse(
                    pod.container().getResources(), new ResourceRequirements()))
            .addToRequests("memory", mib(memory))
            .addToRequests("cpu", cpu)
            .addToLimits("memory", mib(memoryLimit(memory)));
    Quantity limit = cpu(LIMIT_CORES, fields.coreLimit());
    if (limit != null) {
      resources.addToLimits("cpu", limit);
    }
    Quantity inEffect = resources.getLimits().get("cpu");
    if (inEffect != null && inEffect.getNumericalAmount().compareTo(cpu.getNumericalAmount()) < 0) {
      throw new IllegalArgumentException(
          "spec.driver.coreLimit: %s is less than the request of %s; give as much or more, or a smaller spec.driver.coreRequest"
              .formatted(inEffect, cpu));
    }
    return resources.build();
  }

  private Quantity cpu(String property, String field) {
    String amount = conf.getOrDefault(property, field);
    return amount == null ? null : CpuAmount.of(property, amount);
  }

  private long memoryLimit(long request) {
    String given = spec.driver().memoryLimit();
    if (given == null) {
      return request;
    }
    long limit = MemorySize.ofSpark(given) / MemorySize.MIB;
    if (limit < request) {
      throw new IllegalArgumentException(
          "spec.driver.memoryLimit: %s is less than the request of %dm, which is spec.driver.memory and memoryOverhead; give as much or more"
              .formatted(given, request));
    }
    return limit;
  }

  private static Quantity mib(long amount) {
    return new Quantity(amount + "Mi");
  }
}

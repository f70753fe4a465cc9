package io.numaspark.render.driver;

import io.numaspark.api.v1alpha1.DriverSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.Request;
import io.numaspark.render.application.SparkLanguage;
import io.numaspark.render.application.SparkMemory;
import io.numaspark.render.application.SparkPorts;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.executors.ExecutorPodTemplate;
import io.numaspark.render.sparkpod.Side;
import io.numaspark.render.sparkpod.SparkVolumes;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.ResourceNames;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The properties that Spark's own submission writes for every run: its names, ports and driver. */
public final class SparkRun implements Concern {
  @Override
  public Optional<Refusal> refusal(Request request) {
    return DriverPod.refusal(request);
  }

  @Override
  public Contribution contribution(Request request) {
    Settings settings = new Settings();
    addRun(settings, request);
    addImages(settings, request.spec());
    addDriver(settings, request);
    return Contribution.of(settings);
  }

  private static void addRun(Settings settings, Request request) {
    SparkApplicationSpec spec = request.spec();
    ApplicationIdentity identity = request.identity();
    ResourceNames names = identity.names();
    settings
        .derived("names of the attempt")
        .put("spark.app.id", names.sparkAppId())
        .put("spark.app.name", identity.name())
        .put("spark.kubernetes.namespace", identity.namespace())
        .put("spark.kubernetes.driver.pod.name", names.driverPod())
        .put("spark.kubernetes.executor.podNamePrefix", names.executorPrefix())
        .put("spark.driver.host", names.driverService() + "." + identity.namespace() + ".svc");
    settings
        .derived("the operator's submission")
        // The driver replaces the address by spark.kubernetes.driver.master because of
        // submitInDriver.
        .put("spark.master", "k8s://https://kubernetes.default.svc")
        .put("spark.submit.deployMode", "cluster")
        .put("spark.kubernetes.submitInDriver", "true")
        .put("spark.driver.port", SparkPorts.DRIVER)
        .put("spark.driver.blockManager.port", SparkPorts.BLOCK_MANAGER)
        .put("spark.kubernetes.executor.podTemplateFile", ExecutorPodTemplate.PATH);
    settings.field(
        "spec.type", "spark.kubernetes.resource.type", SparkLanguage.resourceType(spec.type()));
    settings
        .derived("Spark's default for spec.type")
        .put(SparkKeys.MEMORY_OVERHEAD_FACTOR, SparkLanguage.overheadFactor(spec.type()));
    settings.field(
        "spec.memoryOverheadFactor", SparkKeys.MEMORY_OVERHEAD_FACTOR, spec.memoryOverheadFactor());
    settings
        .enforced("the operator's pod template")
        // It is ours even if the user's had another name for Spark's container.
        .put("spark.kubernetes.executor.podTemplateContainerName", Labels.EXECUTOR_CONTAINER);
  }

  private static void addImages(Settings settings, SparkApplicationSpec spec) {
    settings.field("spec.image", SparkKeys.IMAGE, ImageName.of(spec.image(), spec));
    settings.field(
        "spec.driver.image", SparkKeys.DRIVER_IMAGE, ImageName.of(spec.driver().image(), spec));
    settings.field(
        "spec.executor.image",
        SparkKeys.EXECUTOR_IMAGE,
        ImageName.of(spec.executor().image(), spec));
    settings.field(
        "spec.imagePullPolicy",
        "spark.kubernetes.container.image.pullPolicy",
        spec.imagePullPolicy());
    settings
        .field("spec.imagePullSecrets")
        .put(
            "spark.kubernetes.container.image.pullSecrets",
            String.join(",", Objects.requireNonNullElse(spec.imagePullSecrets(), List.of())));
  }

  private static void addDriver(Settings settings, Request request) {
    DriverSpec driver = request.spec().driver();
    request
        .pods()
        .of(Side.DRIVER)
        .serviceAccount()
        .ifPresentOrElse(
            account ->
                settings
                    .field("spec.driver.serviceAccount")
                    .put(SparkKeys.SERVICE_ACCOUNT, account),
            () ->
                settings
                    .derived("the operator's default")
                    .put(SparkKeys.SERVICE_ACCOUNT, request.policies().defaultServiceAccount()));
    settings.field(
        "spec.driver.cores",
        "spark.driver.cores",
        Optional.ofNullable(request.given().driver()).map(DriverSpec::cores).orElse(null),
        driver.cores());
    settings.field("spec.driver.memory").putSize(SparkKeys.DRIVER_MEMORY, driver.memory());
    if (driver.memory() == null) {
      settings
          .derived("default of spec.driver.memory")
          .putSize(SparkKeys.DRIVER_MEMORY, SparkMemory.DEFAULT_HEAP);
    }
    settings
        .field("spec.driver.memoryOverhead")
        .putSize(SparkKeys.DRIVER_OVERHEAD, driver.memoryOverhead());
    settings.field("spec.driver.javaOptions", SparkKeys.DRIVER_OPTIONS, driver.javaOptions());
    settings.field(
        "spec.driver.kubernetesMaster",
        "spark.kubernetes.driver.master",
        driver.kubernetesMaster());
    settings
        .field("spec.driver.volumeMounts")
        .putAll(SparkVolumes.properties(Side.DRIVER, request.spec()));
  }
}

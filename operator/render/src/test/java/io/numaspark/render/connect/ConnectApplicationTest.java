package io.numaspark.render.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkConnect;
import io.numaspark.api.v1alpha1.UiOptions.ServiceType;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectApplicationTest {
  @Test
  void theDriverRunsTheServerAndIsReadyWhenItsPortIsOpen() {
    Pod pod = driver("");
    assertThat(pod.getSpec().getContainers().get(0).getArgs())
        .endsWith(
            "--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal");
    assertThat(pod.getSpec().getContainers().get(0).getPorts())
        .anyMatch(
            port ->
                port.getContainerPort() == ConnectApplication.PORT
                    && port.getName().equals("spark-connect"));
    assertThat(probe(pod).getTcpSocket().getPort().getIntVal()).isEqualTo(ConnectApplication.PORT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server: {template: {spec: {tolerations: [{key: a}]}}}",
        "server: {template: {spec: {containers: [{name: a, volumeMounts: []}]}}}",
        "server: {template: {spec: {containers: [{name: b, image: b}, {name: spark-kubernetes-driver}]}}}",
      })
  void theProbeIsMergedIntoTheTemplate(String server) {
    assertThat(probe(driver(server)).getTcpSocket()).isNotNull();
  }

  @Test
  void aProbeOfTheTemplateStays() {
    Pod pod =
        driver(
            "server: {template: {spec: {containers: [{name: spark-kubernetes-driver, readinessProbe:"
                + " {exec: {command: [check]}}}]}}}");
    assertThat(probe(pod).getTcpSocket()).isNull();
    assertThat(probe(pod).getExec().getCommand()).containsExactly("check");
  }

  @Test
  void aTemplateThatCannotBeReadIsRefusedByItsFieldHere() {
    Refusal refusal = (Refusal) render(connect("server: {template: {spec: {containers: {a: b}}}}"));
    assertThat(ConnectApplication.words(refusal.message())).startsWith("spec.server.template");
  }

  @Test
  void executorsFindTheServerBeforeItIsReady() {
    assertThat(conf(""))
        .containsEntry("spark.kubernetes.driver.service.publishNotReadyAddresses", "true");
  }

  @Test
  void theTokenIsReadFromTheSecretByTheServerAlone() {
    SparkConnect connect = connect("authentication: {tokenSecret: {name: s, key: k}}");
    Manifests manifests = (Manifests) render(connect);
    String configuration = Serialization.asYaml(manifests.configuration());
    assertThat(configuration).doesNotContain("AUTHENTICATE_TOKEN");
    assertThat(manifests.driverPod().getSpec().getContainers().get(0).getEnv())
        .anyMatch(
            env ->
                env.getName().equals("SPARK_CONNECT_AUTHENTICATE_TOKEN")
                    && env.getValueFrom().getSecretKeyRef().getName().equals("s")
                    && env.getValueFrom().getSecretKeyRef().getKey().equals("k"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "idle: {}|60s|60s|60s",
        "idle: {executorSeconds: 5}|5s|5s|5s",
        "|null|null|null",
        "idle: {executorSeconds: 5}, sparkConf: {spark.dynamicAllocation.cachedExecutorIdleTimeout: 1h}|5s|1h|5s",
      })
  void idleExecutorsAreGivenBack(String spec, String executor, String cached, String shuffles) {
    Map<String, String> conf =
        conf("dynamicAllocation: {enabled: true}" + (spec == null ? "" : ", " + spec));
    String prefix = "spark.dynamicAllocation.";
    assertThat(String.valueOf(conf.get(prefix + "executorIdleTimeout"))).isEqualTo(executor);
    assertThat(String.valueOf(conf.get(prefix + "cachedExecutorIdleTimeout"))).isEqualTo(cached);
    assertThat(String.valueOf(conf.get(prefix + "shuffleTracking.timeout"))).isEqualTo(shuffles);
  }

  @Test
  void whatTheSchemaRefusesIsNamedByItsField() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConnectApplication.spec(connect("server: {memory: much}")))
        .withMessageContaining("spec.server.memory");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                ConnectApplication.spec(
                    connect("sparkConf: {spark.connect.authenticate.token: secret}")))
        .withMessageContaining("spec.authentication.tokenSecret");
  }

  @Test
  void theSpecIsAsTheApiServerStoresItSoThatItComparesEqual() {
    var spec = ConnectApplication.spec(connect("nodeProfile: p, executor: {instances: 2}"));
    SparkApplication application = application(connect(""));
    application.setSpec(spec);
    SparkApplication read =
        Serialization.unmarshal(Serialization.asYaml(application), SparkApplication.class);
    assertThat(Serialization.asYaml(read.getSpec())).isEqualTo(Serialization.asYaml(spec));
    assertThat(spec.restartPolicy().onSubmissionFailureRetryInterval()).isEqualTo(5);
  }

  @Test
  void aServiceNeedsItsGrants() {
    SparkConnect asked =
        connect("server: {service: {type: NodePort, annotations: {a: b}, labels: {c: d}}}");
    assertThat(ConnectService.refusal(asked, Grants.AS_ASKED)).isEmpty();
    assertThat(ConnectService.refusal(asked, Grants.LEAST))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith("spec.server.service.type: NodePort is not granted")
                    .endsWith("grants.serviceTypes"));
    assertThat(ConnectService.refusal(asked, granting(List.of("a"), List.of())))
        .hasValueSatisfying(
            text ->
                assertThat(text).startsWith("spec.server.service.labels[\"c\"]: is not granted"));
    assertThat(ConnectService.refusal(asked, granting(List.of(), List.of("c"))))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith("spec.server.service.annotations[\"a\"]: is not granted"));
    assertThat(
            ConnectService.refusal(
                connect("server: {service: {labels: {numaspark.io/application: x}}}"),
                Grants.AS_ASKED))
        .hasValueSatisfying(text -> assertThat(text).contains("numaspark.io/application"));
  }

  @Test
  void namesLeadBackToTheSparkConnect() {
    assertThat(ConnectApplication.name(connect(""))).isEqualTo("c-server");
    assertThat(ConnectApplication.connectOf("c-server")).contains("c");
    assertThat(ConnectApplication.connectOf("c-servers")).isEmpty();
    assertThat(ConnectService.endpoint(connect(""))).isEqualTo("sc://c-server.team.svc:15002");
  }

  private static Grants granting(List<String> annotations, List<String> labels) {
    return new Grants(
        Set.of(ServiceType.values()),
        annotations,
        labels,
        List.of(),
        List.of(),
        List.of(),
        false,
        false);
  }

  private static Map<String, String> conf(String spec) {
    return ConnectApplication.spec(connect(spec)).sparkConf();
  }

  private static Probe probe(Pod pod) {
    return pod.getSpec().getContainers().stream()
        .filter(container -> container.getName().equals("spark-kubernetes-driver"))
        .findFirst()
        .orElseThrow()
        .getReadinessProbe();
  }

  private static Pod driver(String spec) {
    return ((Manifests) render(connect(spec))).driverPod();
  }

  private static Object render(SparkConnect connect) {
    return new ApplicationRenderer("spark").render(application(connect), Optional.empty());
  }

  private static SparkApplication application(SparkConnect connect) {
    SparkApplication application = new SparkApplication();
    application.getMetadata().setName(ConnectApplication.name(connect));
    application.getMetadata().setNamespace("team");
    application.getMetadata().setUid("1");
    application.setSpec(ConnectApplication.spec(connect));
    return application;
  }

  private static SparkConnect connect(String spec) {
    return Serialization.unmarshal(
        "metadata: {name: c, namespace: team, uid: u}\nspec: {sparkVersion: 4.3.0, image: i"
            + (spec.isEmpty() ? "" : ", " + spec)
            + "}",
        SparkConnect.class);
  }
}

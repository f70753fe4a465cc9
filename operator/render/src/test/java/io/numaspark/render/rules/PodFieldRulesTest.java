package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.fixture.Resources;
import io.numaspark.render.sparkpod.GivenPods;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused and what is warned of among the pods' fields and the properties about them. */
class PodFieldRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'memoryOverheadFactor: lots'                   | spec.memoryOverheadFactor: Invalid value: "lots"
          'proxyUser: " "'                               | spec.proxyUser: is empty; give
          'deps: {jars: [~]}'                            | spec.deps.jars[0]: Invalid value: "null"
          'arguments: [~]'                               | spec.arguments[0]: Invalid value: "null"
          'nodeSelector: {a: b}, driver: {nodeSelector: {a: b}}' | spec.nodeSelector: give it for the whole application, or for driver and executor, not both
          'driver: {labels: {spark-role: x}}'            | spec.driver.labels["spark-role"]: Spark and the operator find pods by this label; use
          'executor: {labels: {numaspark.io/profile: x}}' | spec.executor.labels["numaspark.io/profile"]: Spark and the operator find pods by this label; use
          'driver: {memoryLimit: big}'                   | spec.driver.memoryLimit: Invalid value: "big"
          'driver: {memory: 2g, memoryLimit: 2g}'        | spec.driver.memoryLimit: 2g is less than the request of 2432m
          'driver: {coreLimit: 500m}'                    | spec.driver.coreLimit: 500m is less than the request of 1; give
          'driver: {coreRequest: 2, coreLimit: 1200m}'   | spec.driver.coreLimit: 1200m is less than the request of 2; give
          'executor: {cores: 2, coreLimit: 1200m}'       | spec.executor.coreLimit: 1200m is less than the request of 2; give
          'image: "spark:{{SPARK_VERSION}}"'             | spec.sparkVersion: is missing, but the image's name requires it; set
          'volumes: [{name: v, emptyDir: {}}], driver: {volumeMounts: [{name: v, mountPath: /opt/spark/conf}]}' | spec.driver: volume 'v' is mounted at /opt/spark/conf, where the operator mounts spark.properties; mount it elsewhere, or use
          'nodeProfile: p, executor: {sidecars: [{name: a}]}' | spec.executor.sidecars: take pinned executors out of their slot; move
          'nodeProfile: p, executor: {initContainers: [{name: a}]}' | spec.executor.initContainers: take pinned executors out of their slot; put
          'nodeProfile: p, executor: {template: {spec: {containers: [{name: a}, {name: b}]}}}' | spec.executor.template.spec.containers: 'b' next to Spark's container takes
          'nodeProfile: p, executor: {template: {spec: {initContainers: [{name: b}]}}}' | spec.executor.template.spec.initContainers: take pinned executors out
          'nodeProfile: p, executor: {template: {spec: {resources: {limits: {cpu: "1"}}}}}' | spec.executor.template.spec.resources: the profile's shape decides the pod's size; remove
          'nodeProfile: p, executor: {template: {spec: {nodeName: n}}}' | spec.executor.template.spec.nodeName: bypasses the scheduler, which counts the slots; use
          'nodeProfile: p, executor: {hostNetwork: true}' | spec.executor.hostNetwork: executors of one node would all listen at 7079; add
          """)
  void fieldsAreRefusedWithTheRemedy(String fields, String message) {
    RenderResult result = render(fields);
    assertThat(result).isInstanceOf(Refusal.class);
    assertThat(((Refusal) result).reason()).isEqualTo("SpecInvalid");
    assertThat(((Refusal) result).message()).startsWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          spark.driver.bindAddress                           | 1.1.1.1 | remove it
          spark.kubernetes.driver.podTemplateFile            | /a.yaml | use spec.driver.template
          spark.kubernetes.driver.pod.featureSteps           | a.Step  | use spec.driver
          spark.kubernetes.driver.pod.excludedFeatureSteps   | a.Step  | use spec.driver
          spark.kubernetes.driver.pod.excludedFeatureSteps   | a.NetworkPolicyFeatureStep,a.Step | use spec.driver
          spark.kubernetes.authenticate.driver.oauthToken    | a       | use spec.driver.serviceAccount
          spark.kubernetes.authenticate.driver.caCertFile    | /a      | use spec.driver.serviceAccount
          spark.kubernetes.kerberos.krb5.path                | /a      | use spark.kubernetes.kerberos.krb5.configMapName
          spark.kubernetes.driver.label.spark-role           | a       | use another one
          spark.kubernetes.executor.label.spark-app-selector | a       | use another one
          spark.kubernetes.driver.secretKeyRef.A             | secret  | write SECRET:KEY
          spark.kubernetes.driver.volumes.hostPath           | a       | write TYPE.NAME.mount.path
          spark.kubernetes.driver.volumes.hostPath.a.options.path | /a | give it, or remove the volume
          spark.kubernetes.driver.volumes.csi.a.mount.path   | /a      | or spec.volumes for any other
          spark.kubernetes.driver.volumes.emptyDir.spark-conf.mount.path | /a | use another name
          spark.kubernetes.kerberos.tokenSecret.name         | a       | give both or remove it
          spark.driver.resource.gpu.amount                   | 1       | spec.driver.gpu
          spark.kubernetes.driver.limit.cores                | much    | write for example 2 or 500m
          spark.driver.minMemoryOverhead                     | much    | write
          """)
  void propertiesAreRefusedWithTheRemedy(String key, String value, String remedy) {
    RenderResult result = render("sparkConf: {'" + key + "': '" + value + "'}");
    assertThat(result).isInstanceOf(Refusal.class);
    // One volume takes several properties; the one that is named is not always the one given.
    String named = key.replaceAll("(\\.volumes)\\..*", "$1");
    assertThat(((Refusal) result).message())
        .startsWith("spec.sparkConf[\"" + named)
        .contains(remedy);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'driver: {env: [{name: SPARK_APPLICATION_ID, value: a}]}' | spec.driver.env: SPARK_APPLICATION_ID is not used
          'executor: {env: [{name: SPARK_LOCAL_DIRS, value: a}]}'   | spec.executor.env: SPARK_LOCAL_DIRS is not used
          'executor: {lifecycle: {}}, sparkConf: {spark.decommission.enabled: "true"}' | spec.executor.lifecycle: is not used
          'driver: {template: {spec: {securityContext: {capabilities: {drop: [ALL]}}}}}' | spec.driver.template.spec.securityContext.capabilities: is not a field of core/v1 PodSecurityContext, so it is not used; remove it
          'executor: {template: {spec: {containers: [{name: a, nam: 1}]}}}' | spec.executor.template.spec.containers[0].nam: is not a field of core/v1 Container, so it is not used; remove it
          'driver: {template: {spec: {containers: [{image: i}]}}}'  | spec.driver.template: the image of Spark's container is not used; use spec.driver.image
          'executor: {template: {spec: {containers: [{resources: {requests: {cpu: "1"}}}]}}}' | spec.executor.template: CPU and memory of Spark's container are not used; use spec.executor.cores
          'nodeProfile: p, memoryOverheadFactor: "0.2"'     | spec.memoryOverheadFactor: is used for the driver only
          """)
  void whatHasNoEffectGivesAWarning(String fields, String warning) {
    assertThat(ApplicationRenderer.check(spec(fields))).isEmpty();
    assertThat(PodFieldWarnings.of(spec(fields), new GivenPods(spec(fields))))
        .singleElement()
        .asString()
        .startsWith(warning);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'driver: {coreLimit: 1200m}, executor: {coreLimit: 1200m, memoryOverhead: 1g}'
          'executor: {env: [{name: SPARK_USER, value: a}]}'
          'nodeProfile: p, memoryOverheadFactor: "0.2", executor: {sizing: Exact}'
          """)
  void whatHasAnEffectGivesNone(String fields) {
    assertThat(PodFieldWarnings.of(spec(fields), new GivenPods(spec(fields)))).isEmpty();
  }

  /** Values of every kind at every place where a tree has no schema. */
  static Stream<String> brokenFields() {
    List<String> places =
        List.of(
            "volumes: [%s]",
            "volumes: [{name: %s}]",
            "volumes: [{name: a, emptyDir: %s}]",
            "volumes: [{name: a, persistentVolumeClaim: %s}]",
            "driver: {affinity: %s}",
            "driver: {podSecurityContext: %s}",
            "driver: {securityContext: %s}",
            "driver: {securityContext: {capabilities: %s}}",
            "driver: {securityContext: {capabilities: {add: %s}}}",
            "driver: {lifecycle: %s}",
            "driver: {sidecars: [%s]}",
            "driver: {sidecars: [{name: %s}]}",
            "driver: {sidecars: [{name: a, volumeMounts: [%s]}]}",
            "driver: {initContainers: [%s]}",
            "driver: {template: %s}",
            "driver: {template: {metadata: %s}}",
            "driver: {template: {metadata: {labels: %s}}}",
            "driver: {template: {spec: %s}}",
            "driver: {template: {spec: {containers: %s}}}",
            "driver: {template: {spec: {containers: [%s]}}}",
            "driver: {template: {spec: {containers: [{resources: %s}]}}}",
            "driver: {template: {spec: {containers: [{resources: {limits: {cpu: %s}}}]}}}",
            "driver: {template: {spec: {containers: [{ports: [%s]}]}}}",
            "driver: {template: {spec: {containers: [{env: [%s]}]}}}",
            "driver: {template: {spec: {volumes: [%s]}}}",
            "driver: {template: {spec: {nodeSelector: %s}}}");
    List<String> values =
        List.of("7", "-1.5", "true", "''", "text", "[]", "[~]", "{}", "{a: ~}", "{a: b}", "~");
    return places.stream()
        .flatMap(place -> values.stream().map(value -> place.replace("%s", value)))
        .flatMap(field -> Stream.of(field, field.replace("driver:", "executor:")))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("brokenFields")
  void noTreeIsRefusedButByItsPath(String field) {
    String start = "spec." + field.substring(0, field.indexOf(':'));
    RenderResult result = render(field);
    if (result instanceof Refusal refusal) {
      assertThat(refusal.reason()).isEqualTo("SpecInvalid");
      assertThat(refusal.message()).startsWith(start).doesNotContain("com.fasterxml");
    } else {
      assertThat(((Manifests) result).driverPod().getSpec().getContainers()).isNotEmpty();
    }
  }

  @Test
  void anImageMayComeFromEitherSideOrTheProperties() {
    for (String image :
        List.of(
            "image: i",
            "driver: {image: i}, executor: {image: j}",
            "sparkConf: {spark.kubernetes.container.image: i}")) {
      String spec = "{type: R, mainApplicationFile: f, " + image + "}";
      Manifests manifests =
          (Manifests)
              new ApplicationRenderer("spark")
                  .render(
                      Resources.application("{metadata: {name: a}, spec: " + spec + "}"),
                      Optional.empty());
      assertThat(manifests.driverPod().getSpec().getContainers().get(0).getImage()).isEqualTo("i");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'cores: 1'                                        | '{}'                                                      | '[{"name":"spark-local","emptyDir":{}}]'                        | /var/data/spark-local
          'cores: 1'                                        | '{spark.local.dir: "/a,/b"}'                              | '[{"name":"spark-local-dir-1","emptyDir":{}},{"name":"spark-local-dir-2","emptyDir":{}}]' | '/a,/b'
          'cores: 1'                                        | '{spark.kubernetes.local.dirs.tmpfs: "true"}'             | '[{"name":"spark-local","emptyDir":{"medium":"Memory"}}]'       | /var/data/spark-local
          'volumeMounts: [{name: spark-local-dir-x, mountPath: /x}]' | '{spark.local.dir: /unused}'                     | '[{"name":"spark-local-dir-x","emptyDir":{}}]'                  | /x
          'env: [{name: SPARK_LOCAL_DIRS, value: /mine}]'   | '{}'                                                      | '[{"name":"spark-local","emptyDir":{}}]'                        | /mine
          """)
  void localFoldersOfTheDriverAreFoundAsSparkFindsThem(
      String driver, String conf, String volumes, String folders) {
    Manifests manifests =
        (Manifests)
            render(
                "driver: {" + driver + "}",
                "volumes: [{name: spark-local-dir-x, emptyDir: {}}]",
                "sparkConf: " + conf);
    List<?> local =
        manifests.driverPod().getSpec().getVolumes().stream()
            .filter(volume -> volume.getName().startsWith("spark-local"))
            .toList();
    assertThat(Resources.tree(Serialization.asJson(local))).isEqualTo(Resources.tree(volumes));
    assertThat(manifests.driverPod().getSpec().getContainers().get(0).getEnv())
        .filteredOn(variable -> variable.getName().equals("SPARK_LOCAL_DIRS"))
        .singleElement()
        .satisfies(variable -> assertThat(variable.getValue()).isEqualTo(folders));
  }

  @Test
  void dependenciesJoinTheUsersOwnOnce() {
    Manifests manifests =
        (Manifests)
            render(
                "deps: {jars: [b.jar, c.jar]}",
                "sparkConf: {spark.jars: 'a.jar, b.jar', spark.jars.packages: 'g:a:1',"
                    + " spark.jars.ivy: /ivy}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.jars", "a.jar,b.jar,c.jar,local:///a.jar")
        .containsEntry("spark.jars.ivy", "/ivy");
  }

  /** A class of the image is not a jar that executors could fetch. */
  @Test
  void aClassOfTheImageAddsNoJar() {
    Manifests manifests = (Manifests) render("mainApplicationFile: spark-internal");
    assertThat(manifests.sparkConf()).doesNotContainKey("spark.jars");
    assertThat(manifests.driverPod().getSpec().getContainers().get(0).getArgs())
        .endsWith("--class", "a.Main", "spark-internal");
  }

  @Test
  void stepsThatTheOperatorNeverTakesMayBeExcluded() {
    String steps = "'o.a.s.NetworkPolicyFeatureStep, o.a.s.KerberosConfDriverFeatureStep'";
    String excluded = "spark.kubernetes.driver.pod.excludedFeatureSteps: " + steps;
    assertThat(render("sparkConf: {" + excluded + "}")).isInstanceOf(Manifests.class);
    assertThat(
            render(
                "sparkConf: {"
                    + excluded
                    + ", spark.kubernetes.kerberos.krb5.configMapName: krb5}"))
        .isInstanceOf(Refusal.class);
  }

  private static RenderResult render(String... fields) {
    return new ApplicationRenderer("spark").render(application(fields), Optional.empty());
  }
}

package io.numaspark.render.sparkpod;

import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.fixture.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldPodsTest {
  private static final String CONTAINER = "/spec/containers/0";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'annotations: {a: b}'                                     | /metadata/annotations/a                      | '"b"'
          'env: [{name: A, value: b}]'                              | /spec/containers/0/env                       | '[{"name":"A","value":"b"}]'
          'envVars: {A: b}'                                         | /spec/containers/0/env                       | '[{"name":"A","value":"b"}]'
          'envVars: {A: b}, env: [{name: A, value: c}]'             | /spec/containers/0/env                       | '[{"name":"A","value":"c"}]'
          'envSecretKeyRefs: {A: {name: s, key: k}}'                | /spec/containers/0/env/0/valueFrom           | '{"secretKeyRef":{"name":"s","key":"k"}}'
          'envFrom: [{secretRef: {name: s}}]'                       | /spec/containers/0/envFrom                   | '[{"secretRef":{"name":"s"}}]'
          'configMaps: [{name: c, path: /c}]'                       | /spec/containers/0/volumeMounts              | '[{"name":"c-vol","mountPath":"/c"}]'
          'configMaps: [{name: c, path: /c}]'                       | /spec/volumes                                | '[{"name":"c-vol","configMap":{"name":"c"}}]'
          'secrets: [{name: s, path: /s}]'                          | /spec/volumes                                | '[{"name":"s-volume","secret":{"secretName":"s"}}]'
          'secrets: [{name: s, path: /s, secretType: GCPServiceAccount}]' | /spec/containers/0/env                 | '[{"name":"GOOGLE_APPLICATION_CREDENTIALS","value":"/s/key.json"}]'
          'secrets: [{name: s, path: /s, secretType: HadoopDelegationToken}]' | /spec/containers/0/env             | '[{"name":"HADOOP_TOKEN_FILE_LOCATION","value":"/s/hadoop.token"}]'
          'affinity: {nodeAffinity: {}}'                            | /spec/affinity                               | '{"nodeAffinity":{}}'
          'tolerations: [{key: k, operator: Exists}]'               | /spec/tolerations                            | '[{"key":"k","operator":"Exists"}]'
          'nodeSelector: {a: b}'                                    | /spec/nodeSelector                           | '{"a":"b"}'
          'podSecurityContext: {fsGroup: 5}'                        | /spec/securityContext                        | '{"fsGroup":5}'
          'schedulerName: s'                                        | /spec/schedulerName                          | '"s"'
          'priorityClassName: p'                                    | /spec/priorityClassName                      | '"p"'
          'sidecars: [{name: s, image: i}]'                         | /spec/containers/1                           | '{"name":"s","image":"i"}'
          'initContainers: [{name: s, image: i}]'                   | /spec/initContainers/0                       | '{"name":"s","image":"i"}'
          'lifecycle: {preStop: {sleep: {seconds: 3}}}'             | /spec/containers/0/lifecycle                 | '{"preStop":{"sleep":{"seconds":3}}}'
          'ports: [{name: p, containerPort: 1}]'                    | /spec/containers/0/ports                     | '[{"name":"p","containerPort":1,"protocol":"TCP"}]'
          'gpu: {name: nvidia.com/gpu, quantity: 2}'                | /spec/containers/0/resources/limits          | '{"nvidia.com/gpu":"2"}'
          'hostNetwork: true'                                       | /spec/dnsPolicy                              | '"ClusterFirstWithHostNet"'
          'dnsConfig: {nameservers: [1.1.1.1]}'                     | /spec/dnsConfig                              | '{"nameservers":["1.1.1.1"]}'
          'hostAliases: [{ip: 1.1.1.1, hostnames: [a]}]'            | /spec/hostAliases                            | '[{"ip":"1.1.1.1","hostnames":["a"]}]'
          'shareProcessNamespace: true'                             | /spec/shareProcessNamespace                  | 'true'
          'terminationGracePeriodSeconds: 0'                        | /spec/terminationGracePeriodSeconds          | '0'
          'template: {spec: {runtimeClassName: r}}'                 | /spec/runtimeClassName                       | '"r"'
          'template: {metadata: {labels: {a: b}}}'                  | /metadata/labels/a                           | '"b"'
          'template: {spec: {nodeSelector: {a: x, c: d}}}, nodeSelector: {a: b}' | /spec/nodeSelector              | '{"a":"b","c":"d"}'
          """)
  void everyFieldReachesBothPods(String field, String pointer, String expected) {
    for (Side side : Side.values()) {
      assertThat(pod(side, field).at(pointer))
          .as(side + " " + field)
          .isEqualTo(Resources.tree(expected));
    }
  }

  @Test
  void labelsReachTheDriverAloneAsExecutorsGetTheirsByProperties() {
    assertThat(pod(Side.DRIVER, "labels: {a: b}").at("/metadata/labels/a").asText()).isEqualTo("b");
    assertThat(pod(Side.EXECUTOR, "labels: {a: b}").at("/metadata/labels").isMissingNode())
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          named as in kubeflow's manifests | '{name: other}, {name: spark-kubernetes-%s, stdin: true}'  | {}
          the first                        | '{name: any, stdin: true}, {name: other}'                  | {}
          named by a property              | '{name: other}, {name: mine, stdin: true}'                 | '{spark.kubernetes.%s.podTemplateContainerName: mine}'
          """)
  void findsSparksContainerInTheTemplate(String name, String containers, String conf) {
    for (Side side : Side.values()) {
      String word = side == Side.DRIVER ? "driver" : "executor";
      SparkApplicationSpec spec =
          spec(
              word
                  + ": {template: {spec: {containers: ["
                  + containers.replace("%s", word)
                  + "]}}}, sparkConf: "
                  + conf.replace("%s", word));
      JsonNode pod = tree(FieldPods.read(side, spec).pod());
      assertThat(pod.at(CONTAINER + "/name").asText()).isEqualTo("spark-kubernetes-" + word);
      assertThat(pod.at(CONTAINER + "/stdin").asBoolean()).as(name).isTrue();
      assertThat(pod.at("/spec/containers/1/name").asText()).isEqualTo("other");
    }
  }

  /** What the two security contexts come to, in the words of the Pod Security Standards. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'cores: 1'                                                 | '{"allowPrivilegeEscalation":false,"seccompProfile":{"type":"RuntimeDefault"}}'
          'podSecurityContext: {runAsNonRoot: true}'                 | '{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]},"seccompProfile":{"type":"RuntimeDefault"}}'
          'securityContext: {runAsNonRoot: true}'                    | '{"allowPrivilegeEscalation":false,"capabilities":{"drop":["ALL"]},"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}'
          'securityContext: {runAsNonRoot: true, capabilities: {add: [SYS_NICE]}}' | '{"allowPrivilegeEscalation":false,"capabilities":{"add":["SYS_NICE"]},"runAsNonRoot":true,"seccompProfile":{"type":"RuntimeDefault"}}'
          'podSecurityContext: {runAsNonRoot: true}, securityContext: {runAsNonRoot: false}' | '{"allowPrivilegeEscalation":false,"runAsNonRoot":false,"seccompProfile":{"type":"RuntimeDefault"}}'
          'podSecurityContext: {seccompProfile: {type: Unconfined}}' | '{"allowPrivilegeEscalation":false}'
          'securityContext: {seccompProfile: {type: Unconfined}}'    | '{"allowPrivilegeEscalation":false,"seccompProfile":{"type":"Unconfined"}}'
          'securityContext: {allowPrivilegeEscalation: true}'        | '{"allowPrivilegeEscalation":true,"seccompProfile":{"type":"RuntimeDefault"}}'
          'securityContext: {privileged: true}'                      | '{"privileged":true}'
          'securityContext: {capabilities: {add: [CAP_SYS_ADMIN]}}'  | '{"capabilities":{"add":["CAP_SYS_ADMIN"]},"seccompProfile":{"type":"RuntimeDefault"}}'
          """)
  void securityDefaultsFillSingleFields(String fields, String expected) {
    for (Side side : Side.values()) {
      assertThat(pod(side, fields).at(CONTAINER + "/securityContext"))
          .as(side + " " + fields)
          .isEqualTo(Resources.tree(expected));
    }
  }

  @Test
  void aPodGetsTheVolumesThatItMounts() {
    SparkApplicationSpec spec =
        spec(
            "volumes: [{name: a, emptyDir: {}}, {name: b, emptyDir: {}}, {name: c, emptyDir: {}}]",
            "driver: {volumeMounts: [{name: a, mountPath: /a}]}",
            "executor: {sidecars: [{name: s, volumeMounts: [{name: b, mountPath: /b}]}]}");
    assertThat(tree(FieldPods.read(Side.DRIVER, spec).pod()).at("/spec/volumes"))
        .isEqualTo(Resources.tree("[{name: a, emptyDir: {}}]"));
    assertThat(tree(FieldPods.read(Side.EXECUTOR, spec).pod()).at("/spec/volumes"))
        .isEqualTo(Resources.tree("[{name: b, emptyDir: {}}]"));
  }

  @Test
  void claimsThatSparkNamesBecomeProperties() {
    SparkApplicationSpec spec =
        spec(
            "volumes: [{name: v, persistentVolumeClaim: {claimName: OnDemand}}]",
            "executor: {volumeMounts: [{name: v, mountPath: /v, readOnly: true}]}");
    assertThat(tree(FieldPods.read(Side.EXECUTOR, spec).pod()).at("/spec").has("volumes"))
        .isFalse();
    assertThat(SparkVolumes.properties(Side.EXECUTOR, spec))
        .hasToString(
            "{spark.kubernetes.executor.volumes.persistentVolumeClaim.v.mount.path=/v,"
                + " spark.kubernetes.executor.volumes.persistentVolumeClaim.v.mount.readOnly=true,"
                + " spark.kubernetes.executor.volumes.persistentVolumeClaim.v.options.claimName=OnDemand}");
  }

  @ParameterizedTest
  @CsvSource({
    "settings,       settings-vol",
    "app.settings,   app-settings-aeef8be2-vol",
    "app-settings,   app-settings-vol",
  })
  void namesOfVolumesAreDnsLabelsOfTheirOwn(String object, String volume) {
    assertThat(Volumes.volumeName(object, "-vol")).isEqualTo(volume);
    assertThat(Volumes.volumeName("x".repeat(200) + object, "-vol"))
        .hasSize(63)
        .doesNotContain(".")
        .isNotEqualTo(Volumes.volumeName("x".repeat(200) + object + "2", "-vol"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'affinity: {nodeAffinity: 7}'                    | 'spec.%s.affinity.nodeAffinity: is 7; give an object, core/v1 NodeAffinity'
          'affinity: 7'                                    | 'spec.%s.affinity: is 7; give an object, core/v1 Affinity'
          'affinity: {nodeAfinity: {}}'                    | 'spec.%s.affinity.nodeAfinity: is not a field of core/v1 Affinity; remove it'
          'affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}}' | 'spec.%s.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution: is an object; give a list'
          'lifecycle: {preStop: {exec: {command: /bin/x}}}' | 'spec.%s.lifecycle.preStop.exec.command: is "/bin/x"; give a list'
          'lifecycle: {preStop: {exec: {command: [1]}}}'   | 'spec.%s.lifecycle.preStop.exec.command[0]: is 1; give text, in quotes'
          'lifecycle: {preStop: {exec: {command: [~]}}}'   | 'spec.%s.lifecycle.preStop.exec.command[0]: is empty; give'
          'securityContext: {privileged: yes please}'      | 'spec.%s.securityContext.privileged: is "yes please"; give true or false'
          'securityContext: {privileged: "true"}'          | 'spec.%s.securityContext.privileged: is "true"; give true or false'
          'securityContext: {runAsUser: 1.5}'              | 'spec.%s.securityContext.runAsUser: is 1.5; give a whole number'
          'podSecurityContext: [1]'                        | 'spec.%s.podSecurityContext: is a list; give an object'
          'sidecars: [{image: i}]'                         | 'spec.%s.sidecars[0].name: is missing; give'
          'sidecars: [7]'                                  | 'spec.%s.sidecars[0]: is 7; give an object, core/v1 Container'
          'sidecars: [{name: a}, {name: a}]'               | 'spec.%s.sidecars[1].name: ''a'' is the name of another container of the pod; give'
          'sidecars: [{name: a, resources: {limits: {cpu: much}}}]' | 'spec.%s.sidecars[0].resources.limits.cpu: is "much"; give a quantity'
          'sidecars: [{name: a, resources: {limits: {cpu: [1]}}}]' | 'spec.%s.sidecars[0].resources.limits.cpu: is a list; give a quantity'
          'initContainers: [{name: a}], sidecars: [{name: a}]' | 'spec.%s.initContainers[0].name: ''a'' is the name of another'
          'sidecars: [{name: a, volumeMounts: [{name: v, mountPath: /v}]}]' | 'spec.%s: container a mounts ''v'', which is not a volume; add it to spec.volumes'
          'volumeMounts: [{name: v, mountPath: /v}]'       | 'spec.%s.volumeMounts: ''v'' is not a volume; add it to spec.volumes'
          'volumeMounts: [{mountPath: /v}]'                | 'spec.%s.volumeMounts[0].name: is missing; give'
          'volumeMounts: [{name: v}]'                      | 'spec.%s.volumeMounts[0].mountPath: is missing; give'
          'secrets: [~]'                                   | 'spec.%s.secrets[0]: is empty; give'
          'env: [~]'                                       | 'spec.%s.env[0]: is empty; give'
          'env: [{value: a}]'                              | 'spec.%s.env[0].name: is missing; give'
          'envSecretKeyRefs: {A: {name: s}}'               | 'spec.%s.envSecretKeyRefs["A"]: names no key of a Secret; give'
          'gpu: {name: g}'                                 | 'spec.%s.gpu: give name'
          'gpu: {name: g, quantity: 0}'                    | 'spec.%s.gpu.quantity: is 0; give 1 or more'
          'ports: [{name: a, containerPort: 1}, {name: a, containerPort: 2}]' | 'spec.%s.ports[1].name: ''a'' is given twice; give'
          'terminationGracePeriodSeconds: -1'              | 'spec.%s.terminationGracePeriodSeconds: -1 is negative; give'
          'template: {spec: {containers: [{name: a}, {}]}}' | 'spec.%s.template.spec.containers[0].name: is missing; give'
          'template: {spec: {volumes: [{name: numaspark}]}}' | 'spec.%s.template.spec.volumes[0].name: ''numaspark'' is a volume of the operator; use another name'
          'template: [1]'                                  | 'spec.%s.template: is a list; give an object, core/v1 PodTemplateSpec'
          """)
  void whatDoesNotFitIsNamedWithTheRemedy(String field, String message) {
    for (Side side : Side.values()) {
      String word = side == Side.DRIVER ? "driver" : "executor";
      assertThatThrownBy(() -> pod(side, field))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(message.replace("%s", word))
          .hasMessageMatching("(?s).*(give|remove|use|add|write).*");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'volumes: [{emptyDir: {}}]'            | 'spec.volumes[0].name: is missing; give the volume a name'
          'volumes: [{name: a}, {name: a}]'      | 'spec.volumes[1].name: ''a'' is given twice; give'
          'volumes: [{name: spark-conf}]'        | 'spec.volumes[0].name: ''spark-conf'' is a volume of the operator; use another name'
          'volumes: [{name: a, emptydir: {}}]'   | 'spec.volumes[0].emptydir: is not a field of core/v1 Volume; remove it'
          'volumes: [a]'                         | 'spec.volumes[0]: is "a"; give an object, core/v1 Volume'
          """)
  void volumesOfTheApplicationAreChecked(String field, String message) {
    assertThatThrownBy(() -> FieldPods.read(Side.DRIVER, spec(field)).pod())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  private static JsonNode pod(Side side, String fields) {
    String word = side == Side.DRIVER ? "driver" : "executor";
    return tree(FieldPods.read(side, spec(word + ": {" + fields + "}")).pod());
  }

  private static JsonNode tree(SparkPod pod) {
    return Resources.tree(Serialization.asYaml(pod.build(new ObjectMetaBuilder())));
  }
}

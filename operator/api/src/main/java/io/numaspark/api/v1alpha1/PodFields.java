package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HostAlias;
import io.fabric8.kubernetes.api.model.PodDNSConfig;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;

/**
 * What driver and executor pods have in common, in the words of kubeflow's SparkPodSpec.
 *
 * <p>Limit: fields of type {@link JsonNode} are not checked by the API server, so that the schema
 * stays small; rendering reads them and refuses what Kubernetes' types cannot hold.
 */
public interface PodFields {
  JsonNode template();

  Integer cores();

  String coreRequest();

  String coreLimit();

  String memory();

  String memoryLimit();

  String memoryOverhead();

  Gpu gpu();

  String image();

  String serviceAccount();

  String javaOptions();

  Map<String, String> labels();

  Map<String, String> annotations();

  List<EnvVar> env();

  Map<String, String> envVars();

  List<EnvFromSource> envFrom();

  Map<String, NameKey> envSecretKeyRefs();

  List<NamePath> configMaps();

  List<SecretMount> secrets();

  List<VolumeMount> volumeMounts();

  Map<String, String> nodeSelector();

  List<Toleration> tolerations();

  JsonNode affinity();

  String schedulerName();

  String priorityClassName();

  JsonNode podSecurityContext();

  JsonNode securityContext();

  List<JsonNode> sidecars();

  List<JsonNode> initContainers();

  JsonNode lifecycle();

  List<PortFields> ports();

  Boolean hostNetwork();

  PodDNSConfig dnsConfig();

  List<HostAlias> hostAliases();

  Boolean shareProcessNamespace();

  Long terminationGracePeriodSeconds();
}

package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.numaspark.api.v1alpha1.NameKey;
import io.numaspark.api.v1alpha1.PodFields;
import io.numaspark.render.conf.SparkProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The fields that set the environment of Spark's container: {@code envVars}, {@code
 * envSecretKeyRefs} and {@code env}, of which later ones win, and {@code envFrom}, over which all
 * of these win as Kubernetes has it.
 */
final class Environment {
  private Environment() {}

  static void apply(Side side, PodFields fields, SparkPod pod) {
    new TreeMap<>(SparkProperties.orEmpty(fields.envVars()))
        .forEach((name, value) -> pod.putEnvironment(new EnvVar(name, value, null)));
    for (Map.Entry<String, NameKey> entry :
        new TreeMap<>(SparkProperties.orEmpty(fields.envSecretKeyRefs())).entrySet()) {
      String field = side.field("envSecretKeyRefs") + "[\"" + entry.getKey() + "\"]";
      NameKey secret = entry.getValue();
      if (secret == null || isEmpty(secret.name()) || isEmpty(secret.key())) {
        throw new IllegalArgumentException(
            field + ": names no key of a Secret; give name and key, or remove it");
      }
      pod.putEnvironment(fromSecret(entry.getKey(), secret.name(), secret.key()));
    }
    List<EnvVar> variables = ModelReader.items(side.field("env"), fields.env());
    checkNames(side.field("env"), variables);
    variables.forEach(pod::putEnvironment);
    List<EnvFromSource> sources = new ArrayList<>(pod.container().getEnvFrom());
    sources.addAll(ModelReader.items(side.field("envFrom"), fields.envFrom()));
    pod.container().setEnvFrom(sources);
  }

  /** A variable with the value of a Secret's key. */
  static EnvVar fromSecret(String variable, String secret, String key) {
    return new EnvVarBuilder()
        .withName(variable)
        .withNewValueFrom()
        .withNewSecretKeyRef(key, secret, null)
        .endValueFrom()
        .build();
  }

  static void checkNames(String field, List<EnvVar> variables) {
    for (int i = 0; i < variables.size(); i++) {
      if (isEmpty(variables.get(i).getName())) {
        throw new IllegalArgumentException(
            field + "[" + i + "].name: is missing; give the variable a name");
      }
    }
  }

  private static boolean isEmpty(String text) {
    return text == null || text.isEmpty();
  }
}

package io.numaspark.render.rules;

import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.ReservedLabels;
import io.numaspark.render.conf.SparkProperties;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Properties that spark-submit would use to build the driver pod, and that an operator cannot: they
 * name files of the machine where spark-submit runs, or classes to be loaded into it.
 *
 * <p>The others are honoured; docs/spark-properties.md has the table.
 */
final class DriverConfRules {
  private static final String CREDENTIALS =
      "names a credential on the machine of spark-submit, and there is none; use"
          + " spec.driver.serviceAccount, or spec.driver.secrets and the property with"
          + " driver.mounted in its name";
  private static final String STEPS =
      "the operator builds the driver pod without Spark's classes; use spec.driver";
  private static final String LABEL =
      "Spark and the operator find pods by this label; use another one";

  private static final Map<String, String> REFUSED =
      Map.ofEntries(
          Map.entry("spark.driver.bindAddress", "it is the driver pod's address; remove it"),
          Map.entry("spark.kubernetes.driver.podTemplateFile", "use spec.driver.template"),
          Map.entry("spark.kubernetes.driver.pod.featureSteps", STEPS),
          Map.entry("spark.kubernetes.authenticate.driver.oauthToken", CREDENTIALS),
          Map.entry("spark.kubernetes.authenticate.driver.oauthTokenFile", CREDENTIALS),
          Map.entry("spark.kubernetes.authenticate.driver.clientKeyFile", CREDENTIALS),
          Map.entry("spark.kubernetes.authenticate.driver.clientCertFile", CREDENTIALS),
          Map.entry("spark.kubernetes.authenticate.driver.caCertFile", CREDENTIALS),
          Map.entry(
              "spark.kubernetes.kerberos.krb5.path",
              "names a file on the machine of spark-submit, and there is none; use"
                  + " spark.kubernetes.kerberos.krb5.configMapName"));

  private static final String EXCLUDED = "spark.kubernetes.driver.pod.excludedFeatureSteps";

  /**
   * Steps that change nothing here: the operator makes no NetworkPolicy, and does what Spark's
   * Kerberos step does only for properties below this prefix.
   */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of("NetworkPolicyFeatureStep", "KerberosConfDriverFeatureStep");

  private static final String KERBEROS = "spark.kubernetes.kerberos.";

  private DriverConfRules() {}

  /** The first property that no driver pod can be made from. */
  static Optional<Refusal> check(SparkApplicationSpec spec) {
    for (Map.Entry<String, String> entry :
        new TreeMap<>(SparkProperties.orEmpty(spec.sparkConf())).entrySet()) {
      String key = entry.getKey();
      String why = REFUSED.get(key);
      if (key.equals(EXCLUDED) && !isWithoutEffect(entry.getValue(), spec.sparkConf())) {
        why = STEPS;
      }
      for (String side : new String[] {"driver", "executor"}) {
        String prefix = "spark.kubernetes." + side + ".label.";
        if (key.startsWith(prefix) && ReservedLabels.contain(key.substring(prefix.length()))) {
          why = LABEL;
        }
      }
      if (why != null) {
        return Optional.of(
            new Refusal(
                RefusalReason.SPARK_CONF_REFUSED, "spec.sparkConf[\"" + key + "\"]: " + why));
      }
    }
    return Optional.empty();
  }

  private static boolean isWithoutEffect(String steps, Map<String, String> conf) {
    for (String step : steps.split(",")) {
      String name = step.strip().replaceFirst("^.*\\.", "");
      boolean kerberos =
          name.startsWith("Kerberos")
              && conf.keySet().stream().anyMatch(key -> key.startsWith(KERBEROS));
      if (!WITHOUT_EFFECT.contains(name) || kerberos) {
        return false;
      }
    }
    return true;
  }
}

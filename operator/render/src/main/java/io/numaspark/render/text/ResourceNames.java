package io.numaspark.render.text;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Deterministic names of everything that belongs to one attempt of an application.
 *
 * <p>The same attempt of the same object always has the same names, so that creating twice is an
 * "already exists" and never a second driver. Names that Kubernetes or Spark would refuse are
 * changed and end in a hash; that of the driver pod is never one of them, so that programs which
 * know the application know its driver.
 */
public record ResourceNames(
    String driverPod,
    String driverService,
    String configMap,
    String executorPrefix,
    String label,
    String sparkAppId) {

  /**
   * Spark's limit for spark.kubernetes.executor.podNamePrefix
   * (Config.KUBERNETES_EXECUTOR_POD_NAME_PREFIX_MAX_LENGTH).
   */
  private static final int EXECUTOR_PREFIX_LIMIT = 47;

  private static final int DNS_LABEL_LIMIT = 63;

  /**
   * What Airflow and the Kubeflow SDK append to the application's name. Pods may have 253
   * characters and dots; their hostname is cut at 63 by the kubelet.
   */
  private static final String DRIVER = "-driver";

  /**
   * Names for the first attempt of an application.
   *
   * @param name metadata.name of the application, at most 63 characters by its schema
   * @param uid metadata.uid: a deleted and re-created application is another run with another Spark
   *     application id
   */
  public static ResourceNames of(String name, String uid) {
    return of(name, uid, 1);
  }

  /**
   * Names for one attempt of an application; those of the first have no number, as scripts expect
   * them.
   *
   * @param attempt number of the attempt, from 1
   */
  public static ResourceNames of(String name, String uid, int attempt) {
    if (attempt == 1) {
      return new ResourceNames(
          name + DRIVER,
          limited(name, DRIVER + "-svc", DNS_LABEL_LIMIT),
          limited(name, DRIVER + "-conf", DNS_LABEL_LIMIT),
          limited(name, "", EXECUTOR_PREFIX_LIMIT),
          name,
          "spark-" + hash(uid).substring(0, 32));
    }
    String driver = DRIVER + "-" + attempt;
    return new ResourceNames(
        name + driver,
        limited(name, driver + "-svc", DNS_LABEL_LIMIT),
        limited(name, driver + "-conf", DNS_LABEL_LIMIT),
        // Without the hash the executors of an application called NAME-2 would have these names.
        limited(
            name,
            "-" + attempt + "-" + hash(name + "/" + attempt).substring(0, 8),
            EXECUTOR_PREFIX_LIMIT),
        name,
        "spark-" + hash(uid + "/" + attempt).substring(0, 32));
  }

  /**
   * Name of a further object of an attempt, a DNS label; only later attempts have their number in
   * it.
   *
   * @param suffix what the object is, with a dash in front
   */
  public static String named(String name, String suffix, int attempt) {
    return limited(name, attempt == 1 ? suffix : suffix + "-" + attempt, DNS_LABEL_LIMIT);
  }

  /** The same names with another driver pod. */
  public ResourceNames withDriverPod(String podName) {
    return new ResourceNames(podName, driverService, configMap, executorPrefix, label, sparkAppId);
  }

  /**
   * Spark checks that the prefix starts with a letter and has no dot; Kubernetes names may start
   * with a digit and have dots. A name that had to be changed ends in a hash, so that a.b and a-b
   * stay apart.
   */
  private static String limited(String name, String suffix, int limit) {
    String dnsLabel = name.replace('.', '-');
    String base = Character.isLetter(name.charAt(0)) ? dnsLabel : "spark-" + dnsLabel;
    if (base.equals(name) && base.length() + suffix.length() <= limit) {
      return base + suffix;
    }
    String hash = "-" + hash(name).substring(0, 8);
    String head =
        base.substring(0, Math.min(base.length(), limit - suffix.length() - hash.length()));
    while (!Character.isLetterOrDigit(head.charAt(head.length() - 1))) {
      head = head.substring(0, head.length() - 1);
    }
    return head + hash + suffix;
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}

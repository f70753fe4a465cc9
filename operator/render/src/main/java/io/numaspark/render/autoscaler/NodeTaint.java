package io.numaspark.render.autoscaler;

/**
 * A taint of new nodes.
 *
 * @param value empty if it has none
 * @param effect NoSchedule, PreferNoSchedule or NoExecute
 */
public record NodeTaint(String key, String value, String effect) {
  /**
   * Keeps pods off a node that has no slots yet; the operator removes it once slots stand.
   *
   * <p>The cluster autoscaler knows startup taints by this prefix: it counts such nodes as coming,
   * and takes the taint off its template (FAQ, "Startup taints").
   */
  public static final String SLOTS_PENDING =
      "startup-taint.cluster-autoscaler.kubernetes.io/numaspark-slots";

  /** Value and effect, as tags have them. */
  String valueAndEffect() {
    return value + ":" + effect;
  }
}

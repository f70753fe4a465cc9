package io.numaspark.controller.slots;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What Kueue says of a Workload in its status (kueue.x-k8s.io/v1beta2).
 *
 * <p>Limit: what is no condition in it does not count, because others may write there too.
 *
 * @param admitted whether its pods may run
 * @param reserved whether it has quota
 * @param evicted whether its pods have to stop
 * @param finished whether it has ended for Kueue, so that it never gets quota again
 * @param message why it waits or was evicted; may be empty
 */
public record KueueState(
    boolean admitted, boolean reserved, boolean evicted, boolean finished, String message) {
  private static final String TRUE = "True";

  /**
   * Kueue itself queues these at once; after others it waits first (jobframework/reconciler.go).
   */
  private static final Set<String> REQUEUED_AT_ONCE = Set.of("Preempted", "NodeFailures");

  /** The state of a Workload that was read. */
  public static KueueState of(GenericKubernetesResource workload) {
    List<Map<String, Object>> conditions = conditions(status(workload));
    boolean evicted = is(conditions, "Evicted");
    return new KueueState(
        is(conditions, "Admitted"),
        is(conditions, "QuotaReserved"),
        evicted,
        is(conditions, "Finished"),
        find(conditions, evicted ? "Evicted" : "QuotaReserved")
            .map(condition -> text(condition, "message"))
            .orElse(""));
  }

  /** Whether its pods have to go, or have gone and still hold quota. */
  public boolean isToBeLeft() {
    return evicted && reserved;
  }

  /**
   * The status that gives the quota of an evicted Workload back, once its pods are gone, as Kueue's
   * own integrations write it.
   *
   * @param time in RFC 3339
   */
  public static Map<String, Object> left(GenericKubernetesResource workload, String time) {
    Map<String, Object> status = new LinkedHashMap<>(status(workload));
    status.remove("admission");
    List<Map<String, Object>> conditions = conditions(status);
    Map<String, Object> eviction = find(conditions, "Evicted").orElse(Map.of());
    String why = text(eviction, "message");
    String reason = text(eviction, "reason");
    set(conditions, "QuotaReserved", "False", "Pending", why, time);
    set(conditions, "Admitted", "False", "NoReservation", "The workload has no reservation", time);
    set(
        conditions,
        "Requeued",
        REQUEUED_AT_ONCE.contains(reason) ? TRUE : "False",
        reason.isEmpty() ? "Evicted" : reason,
        why,
        time);
    status.put("conditions", conditions);
    return status;
  }

  /**
   * The status of a Workload whose application has ended.
   *
   * @param time in RFC 3339
   */
  public static Map<String, Object> finished(
      GenericKubernetesResource workload, boolean succeeded, String time) {
    Map<String, Object> status = new LinkedHashMap<>(status(workload));
    List<Map<String, Object>> conditions = conditions(status);
    set(
        conditions,
        "Finished",
        TRUE,
        succeeded ? "Succeeded" : "Failed",
        "the SparkApplication has " + (succeeded ? "completed" : "failed"),
        time);
    status.put("conditions", conditions);
    return status;
  }

  private static void set(
      List<Map<String, Object>> conditions,
      String type,
      String value,
      String reason,
      String message,
      String time) {
    boolean isSame =
        find(conditions, type).filter(found -> value.equals(found.get("status"))).isPresent();
    Map<String, Object> condition = new LinkedHashMap<>(find(conditions, type).orElse(Map.of()));
    condition.put("type", type);
    condition.put("status", value);
    condition.put("reason", reason);
    condition.put("message", message);
    if (!isSame) {
      condition.put("lastTransitionTime", time);
    }
    conditions.removeIf(other -> type.equals(other.get("type")));
    conditions.add(condition);
  }

  private static boolean is(List<Map<String, Object>> conditions, String type) {
    return find(conditions, type).filter(found -> TRUE.equals(found.get("status"))).isPresent();
  }

  private static Optional<Map<String, Object>> find(
      List<Map<String, Object>> conditions, String type) {
    return conditions.stream().filter(condition -> type.equals(condition.get("type"))).findFirst();
  }

  private static String text(Map<String, Object> condition, String key) {
    return condition.get(key) instanceof String text ? text : "";
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> status(GenericKubernetesResource workload) {
    return workload.getAdditionalProperties().get("status") instanceof Map<?, ?> status
        ? (Map<String, Object>) status
        : Map.of();
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> conditions(Map<String, Object> status) {
    List<Map<String, Object>> conditions = new ArrayList<>();
    if (status.get("conditions") instanceof List<?> list) {
      list.stream()
          .filter(Map.class::isInstance)
          .forEach(condition -> conditions.add((Map<String, Object>) condition));
    }
    return conditions;
  }
}

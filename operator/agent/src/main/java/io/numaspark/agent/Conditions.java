package io.numaspark.agent;

import io.numaspark.agent.knob.Quoted;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The conditions of a topology: each keeps the time at which its status last changed. */
final class Conditions {
  static final String TOPOLOGY_READ = "TopologyRead";
  static final String PINNING_READ = "PinningRead";
  static final String KNOBS_APPLIED = "KnobsApplied";
  static final String PAGES_SWEPT = "PagesSwept";
  static final String TRUE = "True";
  static final String FALSE = "False";
  static final String UNKNOWN = "Unknown";

  private final List<AgentCondition> before;
  private final Instant now;
  private final List<AgentCondition> conditions = new ArrayList<>();

  Conditions(List<AgentCondition> before, Instant now) {
    this.before = before;
    this.now = now;
  }

  /** Adds one. */
  void put(String type, String status, AgentReason reason, String message) {
    put(type, status, reason.displayName(), message);
  }

  /** Adds one whose reason is that of the kubelet, the kernel or a knob. */
  void put(String type, String status, String reason, String message) {
    String since = now.truncatedTo(ChronoUnit.SECONDS).toString();
    for (AgentCondition condition : before) {
      if (condition.type().equals(type) && condition.status().equals(status)) {
        since = condition.lastTransitionTime();
      }
    }
    conditions.add(new AgentCondition(type, status, reason, Quoted.line(message), since));
  }

  List<AgentCondition> all() {
    return List.copyOf(conditions);
  }
}

package io.numaspark.controller.store;

import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.Pinner;
import io.numaspark.controller.event.Signal;
import io.numaspark.controller.observe.NodeAgents;
import io.numaspark.controller.status.KnobReport;
import io.numaspark.controller.status.PinnerStates;
import io.numaspark.controller.status.SystemdStates;
import io.numaspark.render.knobs.AgentAssignment;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.KnobWishes;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The agents of each profile's nodes: reports them in its status, and knows which report of an
 * agent is news for profiles.
 */
public final class ProfileAgents {
  private final NodeAgents agents;
  private final Map<String, List<Object>> said = new ConcurrentHashMap<>();
  private final Signal<String> news = new Signal<>();
  private final Map<String, KnobReport> reports = new ConcurrentHashMap<>();
  private final Map<String, PinnerStates> pinners = new ConcurrentHashMap<>();
  private final Map<String, SystemdStates> systemds = new ConcurrentHashMap<>();

  public ProfileAgents(NodeAgents agents) {
    this.agents = agents;
  }

  /** The newest report of each profile. */
  public Map<String, KnobReport> reports() {
    return Map.copyOf(reports);
  }

  /** The newest states of each profile's pinners. */
  public Map<String, PinnerStates> pinners() {
    return Map.copyOf(pinners);
  }

  /** The newest states of systemd on each profile's nodes. */
  public Map<String, SystemdStates> systemds() {
    return Map.copyOf(systemds);
  }

  /** Forgets a profile that has no plan. */
  public void forget(String profile) {
    reports.remove(profile);
    pinners.remove(profile);
    systemds.remove(profile);
  }

  /** Emitted with the name of a node whose agent reports something that concerns profiles. */
  public Signal<String> news() {
    return news;
  }

  /** An agent has reported; it is news if that is more than which containers run. */
  public void reported(String node) {
    if (isNews(node)) {
      news.emit(node);
    }
  }

  private boolean isNews(String node) {
    Optional<SparkNodeTopology> topology = agents.of(node);
    SparkNodeTopologyStatus status = topology.map(SparkNodeTopology::getStatus).orElse(null);
    List<Object> now =
        status == null
            ? List.of()
            : List.of(
                AgentHealth.knobs(status),
                topology.map(AgentAssignment::readGeneration).orElse(-1L),
                Objects.requireNonNullElse(status.conditions(), List.of()),
                Optional.ofNullable(status.pinner()).map(Pinner::generation));
    boolean wasSilent =
        reports.values().stream().anyMatch(report -> report.withoutReport().contains(node));
    return !now.equals(said.put(node, now)) || wasSilent;
  }

  /** A status, and when to look again if no agent has news. */
  public record ReportedStatus(SparkNodeProfileStatus status, Optional<Instant> again) {}

  /**
   * Adds to a status what the agents say.
   *
   * @param nodes names of the nodes that the profile has
   */
  public ReportedStatus report(
      SparkNodeProfile profile,
      SparkNodeProfileStatus status,
      ProfilePlan plan,
      Collection<String> nodes,
      Instant now) {
    if (!agents.isLoaded()) {
      return new ReportedStatus(
          KnobReport.keep(status, profile.getStatus()), Optional.of(now.plusSeconds(1)));
    }
    String name = profile.getMetadata().getName();
    SortedMap<String, Optional<SparkNodeTopology>> topologies = new TreeMap<>();
    nodes.forEach(node -> topologies.put(node, agents.of(node)));
    KnobReport report = new KnobReport(KnobWishes.of(name, profile.getSpec()), topologies, now);
    reports.put(name, report);
    PinnerStates states = PinnerStates.of(name, plan, agents::of, now);
    pinners.put(name, states);
    SystemdStates systemd = SystemdStates.of(topologies, now);
    systemds.put(name, systemd);
    SparkNodeProfileStatus reported = report.addTo(status, profile, now);
    return new ReportedStatus(
        systemd.addTo(states.addTo(reported, profile, now), profile, now),
        report.again(profile, now));
  }
}

package io.numaspark.controller.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.AgentCounts;
import io.numaspark.api.v1alpha1.SparkNodeProfileStatus.KnobSummary;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.controller.status.KnobProblem.Kind;
import io.numaspark.render.knobs.AgentHealth;
import io.numaspark.render.knobs.AgentHealth.Contact;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the agents of a profile's nodes say, counted: the parts of its status that are about agents
 * and knobs.
 *
 * <p>Its size depends on the number of knobs and not on that of nodes.
 */
public final class KnobReport {
  /** How long agents may take to come, to start their writer and to apply what is new. */
  static final Duration GRACE = Duration.ofMinutes(3);

  static final String AGENTS_REPORTING = "AgentsReporting";
  static final String KNOBS_APPLIED = "KnobsApplied";
  private static final int NAMED = 5;

  /** An agent that lies must not make names of states. */
  private static final Set<String> STATES =
      Set.of("Applied", "Drifted", "Failed", "Unsupported", "Restored");

  private final Optional<WantedKnobs> wanted;
  private final SortedMap<Contact, List<String>> nodes = new TreeMap<>();
  private final SortedMap<String, SortedMap<String, Integer>> states = new TreeMap<>();
  private final Map<Kind, List<KnobProblem>> problems = new EnumMap<>(Kind.class);
  private Optional<Instant> nextSilence = Optional.empty();

  /**
   * A report.
   *
   * @param wanted what the profile wants of each of its nodes
   * @param nodes the topologies of its nodes, as far as they exist, by node name
   */
  public KnobReport(
      Optional<WantedKnobs> wanted,
      SortedMap<String, Optional<SparkNodeTopology>> nodes,
      Instant now) {
    this.wanted = wanted;
    for (Contact contact : Contact.values()) {
      this.nodes.put(contact, new ArrayList<>());
    }
    wanted.ifPresent(
        knobs -> knobs.settings().keySet().forEach(knob -> states.put(knob, new TreeMap<>())));
    nodes.forEach((name, topology) -> add(name, topology, now));
  }

  private void add(String node, Optional<SparkNodeTopology> topology, Instant now) {
    Contact contact = AgentHealth.of(topology, now);
    nodes.get(contact).add(node);
    if (contact == Contact.REPORTING) {
      Instant silent =
          AgentHealth.heartbeat(topology.orElseThrow().getStatus())
              .orElseThrow()
              .plus(AgentHealth.SILENCE);
      nextSilence =
          nextSilence.filter(known -> known.isBefore(silent)).or(() -> Optional.of(silent));
    }
    if (wanted.isEmpty()) {
      return;
    }
    Map<String, KnobState> told = new TreeMap<>();
    if (contact == Contact.REPORTING) {
      AgentHealth.knobs(topology.orElseThrow().getStatus())
          .forEach(state -> told.putIfAbsent(String.valueOf(state.name()), state));
    }
    wanted
        .get()
        .settings()
        .forEach(
            (knob, value) -> states.get(knob).merge(state(told.get(knob), value), 1, Integer::sum));
    KnobProblem.of(node, wanted.get(), topology, contact)
        .ifPresent(
            trouble ->
                problems.computeIfAbsent(trouble.kind(), kind -> new ArrayList<>()).add(trouble));
  }

  /** For counts; what is only compared is told from what is set. */
  private static String state(KnobState told, String value) {
    if (told == null || told.state() == null || !value.equals(told.wanted())) {
      return "Unknown";
    }
    if (!told.state().equals("Observed")) {
      return STATES.contains(told.state()) ? told.state() : "Unknown";
    }
    return value.equals(told.actual()) ? "Same" : "Differs";
  }

  /** Nodes by the contact with their agents. */
  public Map<Contact, Integer> agents() {
    return nodes.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().size()));
  }

  /** Nodes by knob and state. */
  public Map<String, SortedMap<String, Integer>> knobs() {
    return states;
  }

  /** Names of the nodes whose agents do not report. */
  public List<String> withoutReport() {
    return Stream.of(Contact.SILENT, Contact.MISSING)
        .flatMap(contact -> nodes.get(contact).stream())
        .toList();
  }

  /** The same status with what the agents say. */
  public SparkNodeProfileStatus addTo(
      SparkNodeProfileStatus status, SparkNodeProfile profile, Instant now) {
    Conditions conditions =
        new Conditions(
            profile.getStatus() == null ? null : profile.getStatus().conditions(),
            profile.getMetadata().getGeneration(),
            now);
    boolean used = wanted.isPresent() || nodes.get(Contact.MISSING).size() < count();
    if (used && count() > 0) {
      addAgentsReporting(conditions);
    }
    if (enforces() && count() > 0) {
      addKnobsApplied(conditions, isInGrace(profile, now));
    }
    AgentCounts agents =
        used
            ? new AgentCounts(
                nodes.get(Contact.REPORTING).size(),
                nodes.get(Contact.SILENT).size(),
                nodes.get(Contact.MISSING).size())
            : null;
    return with(status, agents, summaries(), conditions.build());
  }

  /** The same status with what it said before of agents, while they are not known yet. */
  public static SparkNodeProfileStatus keep(
      SparkNodeProfileStatus status, SparkNodeProfileStatus before) {
    if (before == null) {
      return status;
    }
    List<Condition> kept =
        Objects.requireNonNullElse(before.conditions(), List.<Condition>of()).stream()
            .filter(
                condition ->
                    AGENTS_REPORTING.equals(condition.getType())
                        || KNOBS_APPLIED.equals(condition.getType())
                        || PinnerStates.PINNERS_CONNECTED.equals(condition.getType())
                        || SystemdStates.SYSTEMD_AGREES.equals(condition.getType()))
            .toList();
    return with(status, before.agents(), before.knobs(), kept);
  }

  private static SparkNodeProfileStatus with(
      SparkNodeProfileStatus status,
      AgentCounts agents,
      List<KnobSummary> knobs,
      List<Condition> further) {
    return status.withAgents(
        agents, knobs, Stream.concat(status.conditions().stream(), further.stream()).toList());
  }

  /** When to look again if no agent says anything new. */
  public Optional<Instant> again(SparkNodeProfile profile, Instant now) {
    Optional<Instant> grace =
        !problems.isEmpty() && isInGrace(profile, now)
            ? Optional.of(graceEnd(profile, now))
            : Optional.empty();
    return Stream.of(grace, nextSilence).flatMap(Optional::stream).min(Instant::compareTo);
  }

  private int count() {
    return nodes.values().stream().mapToInt(List::size).sum();
  }

  private boolean enforces() {
    return wanted.filter(knobs -> !knobs.enforced().isEmpty()).isPresent();
  }

  private List<KnobSummary> summaries() {
    return wanted
        .map(
            knobs ->
                knobs.settings().entrySet().stream()
                    .map(
                        setting ->
                            new KnobSummary(
                                setting.getKey(),
                                setting.getValue(),
                                knobs.enforced().contains(setting.getKey()),
                                states.get(setting.getKey())))
                    .toList())
        .orElse(null);
  }

  private void addAgentsReporting(Conditions conditions) {
    List<String> silent = nodes.get(Contact.SILENT);
    List<String> missing = nodes.get(Contact.MISSING);
    String heard =
        "the agents of %d of %d nodes report"
            .formatted(nodes.get(Contact.REPORTING).size(), count());
    if (silent.isEmpty() && missing.isEmpty()) {
      conditions.add(AGENTS_REPORTING, Conditions.TRUE, ProfileReason.ALL_REPORTING, heard);
      return;
    }
    Kind kind = silent.isEmpty() ? Kind.AGENT_NOT_INSTALLED : Kind.AGENT_SILENT;
    String message =
        heard
            + (silent.isEmpty() ? "" : "; silent: " + named(silent))
            + (missing.isEmpty() ? "" : "; missing: " + named(missing))
            + "; "
            + kind.remedy();
    conditions.add(AGENTS_REPORTING, Conditions.FALSE, kind, message);
  }

  private void addKnobsApplied(Conditions conditions, boolean inGrace) {
    if (problems.isEmpty()) {
      conditions.add(
          KNOBS_APPLIED,
          Conditions.TRUE,
          ProfileReason.APPLIED,
          "%d knobs have their wanted value on %d nodes"
              .formatted(wanted.orElseThrow().enforced().size(), count()));
      return;
    }
    Kind worst = problems.keySet().iterator().next();
    int nodesWithProblem = problems.values().stream().mapToInt(List::size).sum();
    String message =
        "%d of %d nodes: ".formatted(nodesWithProblem, count())
            + problems.values().stream().map(KnobReport::describe).collect(Collectors.joining("; "))
            + (worst.remedy().isEmpty() ? "" : "; " + worst.remedy());
    boolean applying = worst == Kind.APPLYING || inGrace && worst.mayPass();
    conditions.add(
        KNOBS_APPLIED,
        applying ? Conditions.UNKNOWN : Conditions.FALSE,
        applying ? Kind.APPLYING : worst,
        message);
  }

  private static String describe(List<KnobProblem> alike) {
    KnobProblem first = alike.get(0);
    return first.kind().displayName()
        + " on "
        + named(alike.stream().map(KnobProblem::node).toList())
        + (first.message().isEmpty() ? "" : " (" + first.message() + ")");
  }

  private static String named(List<String> nodes) {
    String names = nodes.stream().limit(NAMED).collect(Collectors.joining(", "));
    return nodes.size() > NAMED ? names + " and " + (nodes.size() - NAMED) + " more" : names;
  }

  /** What may pass by itself is not a failure at once, and stays one until it has passed. */
  private static boolean isInGrace(SparkNodeProfile profile, Instant now) {
    Optional<Condition> before = before(profile);
    return before.filter(condition -> Conditions.FALSE.equals(condition.getStatus())).isEmpty()
        && now.isBefore(graceEnd(profile, now));
  }

  private static Instant graceEnd(SparkNodeProfile profile, Instant now) {
    return before(profile)
        .filter(condition -> Conditions.UNKNOWN.equals(condition.getStatus()))
        .flatMap(KnobReport::since)
        .orElse(now)
        .plus(GRACE);
  }

  private static Optional<Instant> since(Condition condition) {
    try {
      return Optional.ofNullable(condition.getLastTransitionTime()).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<Condition> before(SparkNodeProfile profile) {
    return profile.getStatus() == null || profile.getStatus().conditions() == null
        ? Optional.empty()
        : profile.getStatus().conditions().stream()
            .filter(condition -> KNOBS_APPLIED.equals(condition.getType()))
            .findFirst();
  }
}

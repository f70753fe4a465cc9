package io.numaspark.render.knobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopology;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedKnobs.Scope;
import io.numaspark.render.knobs.AgentAssignment.NodeNow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentAssignmentTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final String FRESH = "2026-01-01T11:58:00Z";
  private static final String OLD = "2026-01-01T11:49:00Z";

  /** What is wanted, what the node has, and which agent it gets. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      textBlock =
          """
          no profile, no label                      | none    | -       | {}                                     | -
          no profile, observed until now            | none    | observe | {}                                     | -
          selected, nothing wanted                  | nothing | -       | {}                                     | observe
          selected, compared only                   | observe | -       | {}                                     | observe
          selected, enforced                        | enforce | observe | {}                                     | enforce
          enforced, and the agent is silent         | enforce | enforce | {heartbeat: OLD, knobs: [Applied]}     | enforce
          back to observe, applied                  | observe | enforce | {heartbeat: FRESH, knobs: [Applied]}   | enforce
          back to observe, drifted                  | observe | enforce | {heartbeat: FRESH, knobs: [Drifted]}   | enforce
          back to observe, failed to put it back    | observe | enforce | {heartbeat: FRESH, knobs: [Failed]}    | enforce
          back to observe, put back                 | observe | enforce | {heartbeat: FRESH, knobs: [Restored]}  | observe
          back to observe, nothing was supported    | observe | enforce | {heartbeat: FRESH, knobs: [Unsupported]} | observe
          left, one of two put back                 | none    | enforce | {heartbeat: FRESH, knobs: [Restored, Applied]} | enforce
          left, all put back                        | none    | enforce | {heartbeat: FRESH, knobs: [Restored, Observed]} | -
          left, the wish was not read yet           | none    | enforce | {heartbeat: FRESH, knobs: [], read: 6} | enforce
          left, the wish was read                   | none    | enforce | {heartbeat: FRESH, knobs: [], read: 7} | -
          left, no agent ever ran                   | none    | enforce | {}                                     | -
          left, the topology is gone                | none    | enforce | -                                      | enforce
          the label was taken off too early         | none    | -       | {heartbeat: FRESH, knobs: [Applied]}   | enforce
          given up, and still silent                | none    | -       | {heartbeat: OLD, knobs: [Applied]}     | -
          silent, but the label has just come back  | none    | enforce | {heartbeat: OLD, knobs: [Applied]}     | enforce
          """)
  void label(String name, String wanted, String label, String status, String expected) {
    AgentAssignment assignment = assign(wanted, node(label, status, NOW), NOW);
    assertThat(assignment.label()).isEqualTo(Optional.ofNullable(expected));
    assertThat(assignment.knobs()).isEqualTo(wishes(wanted));
    assertThat(assignment.warning()).isEmpty();
    boolean keepsItsWriter = "enforce".equals(expected) && !wanted.equals("enforce");
    assertThat(assignment.restoring()).isEqualTo(keepsItsWriter);
    assertThat(assignment.until().isPresent()).isEqualTo(keepsItsWriter);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      nullValues = "-",
      delimiter = '|',
      textBlock =
          """
          silent             | {heartbeat: OLD, knobs: [Applied]}   | node n may still have changed knobs: its agent, which last reported at 2026-01-01T11:49:00Z, has not restored knob0
          no time            | {heartbeat: x, knobs: [Applied]}     | node n may still have changed knobs: its agent, which last reported at x, has not restored knob0
          a clock hours off  | {heartbeat: '2026-01-01T19:00:00Z', knobs: [Drifted]} | node n may still have changed knobs
          cannot put back    | {heartbeat: FRESH, knobs: [Failed]}  | has not restored knob0
          no topology        | -                                    | node n has no SparkNodeTopology
          """)
  void whatIsNotPutBackIsGivenUpWithAWarning(String name, String status, String warning) {
    Instant begin = NOW.minus(Duration.ofMinutes(10));
    AgentAssignment assignment = assign("none", node("enforce", status, begin), NOW);
    assertThat(assignment.label()).isEmpty();
    assertThat(assignment.until()).isEmpty();
    assertThat(assignment.warning().orElseThrow())
        .contains(warning)
        .endsWith("`kubectl label node n numaspark.io/agent=enforce --overwrite`");
  }

  @Test
  void anAgentThatIsHeardIsWaitedFor() {
    Instant hoursAgo = NOW.minus(Duration.ofHours(5));
    NodeNow node = node("enforce", "{heartbeat: FRESH, knobs: [Applied]}", hoursAgo);
    AgentAssignment assignment = assign("none", node, NOW);
    assertThat(assignment.label()).contains("enforce");
    assertThat(assignment.until()).contains(Instant.parse("2026-01-01T12:08:00Z"));
  }

  @Test
  void aNodeThatLeavesTheClusterWithChangedKnobsIsNamed() {
    assertThat(AgentAssignment.farewell(node("enforce", "{knobs: [Applied]}", NOW)))
        .contains(
            "node n left the cluster while its agent had changed knob0; reboot the machine before it is used elsewhere");
    assertThat(AgentAssignment.farewell(node("enforce", "{knobs: [Restored]}", NOW))).isEmpty();
    assertThat(AgentAssignment.farewell(node("enforce", null, NOW))).isEmpty();
    assertThat(AgentAssignment.farewell(node("observe", "{knobs: [Applied]}", NOW))).isEmpty();
  }

  private static AgentAssignment assign(String wanted, NodeNow node, Instant now) {
    return wanted.equals("none")
        ? AgentAssignment.unselected(node, now)
        : AgentAssignment.selected(wishes(wanted), node, now);
  }

  private static Optional<WantedKnobs> wishes(String wanted) {
    List<String> enforced = wanted.equals("enforce") ? List.of("knob0") : List.of();
    return wanted.equals("none") || wanted.equals("nothing")
        ? Optional.empty()
        : Optional.of(new WantedKnobs("p", Scope.Node, Map.of("knob0", "1"), enforced));
  }

  private static NodeNow node(String label, String status, Instant since) {
    return new NodeNow("n", label, Optional.ofNullable(status).map(s -> topology(s)), since);
  }

  /** Knobs are given as their states, and what was read as its generation. */
  private static SparkNodeTopology topology(String status) {
    Status given =
        Serialization.unmarshal(
            "---\n" + status.replace("FRESH", q(FRESH)).replace("OLD", q(OLD)), Status.class);
    StringBuilder yaml = new StringBuilder("metadata: {name: n, generation: 7}\nstatus:\n");
    yaml.append("  agentVersion: x\n");
    if (given.heartbeat() != null) {
      yaml.append("  heartbeat: ").append(q(given.heartbeat())).append('\n');
    }
    if (given.read() != null) {
      yaml.append("  observedGeneration: ").append(given.read()).append('\n');
    }
    yaml.append("  knobs:\n");
    List<String> states = given.knobs() == null ? List.of() : given.knobs();
    for (int i = 0; i < states.size(); i++) {
      yaml.append("  - {name: knob%d, state: %s}\n".formatted(i, states.get(i)));
    }
    return Serialization.unmarshal(yaml.toString(), SparkNodeTopology.class);
  }

  private record Status(String heartbeat, List<String> knobs, Long read) {}

  private static String q(String text) {
    return "\"" + text + "\"";
  }
}

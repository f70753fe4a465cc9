package io.numaspark.cli.smt;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.numaspark.planner.topology.CpuSet;
import io.numaspark.render.text.OneLine;
import java.util.Objects;
import java.util.Optional;

/**
 * What the program on the node has answered ({@code agent/internal/smt}).
 *
 * @param message why not; empty if all is well
 * @param cpus how many are online
 * @param online which; empty if the list was too long for a report
 * @param reserved reservedSystemCPUs; empty if the kubelet's configuration does not have it, or the
 *     list was too long
 */
record HostReport(State state, String message, int cpus, CpuSet online, CpuSet reserved) {
  private static final int LONGEST = 8192;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** How it ended. */
  enum State {
    @JsonProperty("checked")
    CHECKED,
    @JsonProperty("switched")
    SWITCHED,
    /** Nothing was changed. */
    @JsonProperty("refused")
    REFUSED,
    @JsonProperty("rolledBack")
    ROLLED_BACK,
    @JsonProperty("failed")
    FAILED
  }

  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Line(
      @JsonProperty(required = true) State state,
      String message,
      int cpus,
      String online,
      String reserved) {
    @JsonCreator
    Line {}
  }

  /** Reads a pod's termination message; empty if the program has not written it. */
  static Optional<HostReport> parse(String text) {
    if (text == null || text.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      Line line = JSON.readValue(text, Line.class);
      return line.state() == null
          ? Optional.empty()
          : Optional.of(
              new HostReport(
                  line.state(),
                  OneLine.of(Objects.requireNonNullElse(line.message(), "")),
                  line.cpus(),
                  set(line.online()),
                  set(line.reserved())));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static CpuSet set(String list) {
    return list == null || list.isBlank() ? CpuSet.EMPTY : CpuSet.parse(list);
  }
}

package io.numaspark.render.knobs;

import io.numaspark.render.text.Labels;
import java.util.Optional;

/** The values of {@link Labels#AGENT}: an agent reads, and may have a writer, a pinner, or both. */
public final class AgentKind {
  private AgentKind() {}

  /**
   * The label of a node.
   *
   * @param reader the label that it has without pinner; empty for no agent
   * @param pinner whether it has a pinner
   */
  public static Optional<String> label(Optional<String> reader, boolean pinner) {
    if (!pinner) {
      return reader;
    }
    return Optional.of(
        reader.filter(Labels.AGENT_ENFORCE::equals).isPresent()
            ? Labels.AGENT_ENFORCE_AND_PIN
            : Labels.AGENT_PIN);
  }

  /** The label that a node would have without its pinner; null for no agent. */
  public static String withoutPinner(String label) {
    if (Labels.AGENT_ENFORCE_AND_PIN.equals(label)) {
      return Labels.AGENT_ENFORCE;
    }
    return Labels.AGENT_PIN.equals(label) ? Labels.AGENT_OBSERVE : label;
  }
}

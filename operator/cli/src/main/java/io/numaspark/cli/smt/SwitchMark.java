package io.numaspark.cli.smt;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.cli.text.InputException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The annotation of a node that is being switched: what a later run needs in order to continue.
 *
 * @param to the target
 * @param stage how far it is
 * @param wasCordoned whether a person had cordoned the node before, so that it stays cordoned
 * @param run the run of the command that works on it now; an earlier one stops when it sees another
 * @param since when the first run began
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record SwitchMark(SmtTarget to, Stage stage, boolean wasCordoned, String run, String since) {
  static final String ANNOTATION = "numaspark.io/smt-switch";

  private static final int LONGEST = 1024;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What may have changed on the node. */
  enum Stage {
    /** Nothing but the cordon. */
    DRAINING,
    /** Anything: the kubelet may even be stopped. */
    SWITCHING
  }

  SwitchMark {
    Objects.requireNonNull(to);
    Objects.requireNonNull(stage);
    Objects.requireNonNull(run);
  }

  /**
   * The mark of a node; empty if it is not being switched.
   *
   * @throws InputException if another program has written it
   */
  static Optional<SwitchMark> of(Node node) {
    Map<String, String> annotations = node.getMetadata().getAnnotations();
    String text = annotations == null ? null : annotations.get(ANNOTATION);
    if (text == null) {
      return Optional.empty();
    }
    if (text.length() <= LONGEST) {
      try {
        return Optional.of(JSON.readValue(text, SwitchMark.class));
      } catch (JsonProcessingException e) {
        // As one that is too long.
      }
    }
    throw new InputException(
        "annotation %s of node %s: this command has not written it; remove it, and uncordon the node if it is well"
            .formatted(ANNOTATION, node.getMetadata().getName()));
  }

  /** The annotation's value. */
  String text() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The same at another stage. */
  SwitchMark at(Stage other) {
    return new SwitchMark(to, other, wasCordoned, run, since);
  }

  /** The same in the hands of another run, which may have another target. */
  SwitchMark continuedBy(String other, SmtTarget target) {
    return new SwitchMark(target, stage, wasCordoned, other, since);
  }
}

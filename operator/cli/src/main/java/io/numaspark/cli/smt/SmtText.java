package io.numaspark.cli.smt;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.render.text.OneLine;
import java.util.Locale;
import java.util.Optional;

/** What a person reads of a node's SMT. */
final class SmtText {
  private SmtText() {}

  static String of(Node node, NodeState state) {
    String name = node.getMetadata().getName();
    StringBuilder text = new StringBuilder();
    line(text, "Node", name + (NodeMark.isCordoned(node) ? ", cordoned" : ""));
    line(text, "SMT", state.control() + state.refusal().map(why -> ": " + why).orElse(""));
    line(
        text,
        "CPUs",
        "%s (%d of %d cores); the kubelet counts %d"
            .formatted(state.cpus(), state.cpus().size(), state.cores(), state.capacity()));
    line(
        text,
        "Reserved",
        state.reserved().isEmpty() ? "none by name" : state.reserved().toString());
    line(text, "Reported", state.heartbeat().map(Object::toString).orElse("never"));
    Optional<SwitchMark> mark = SwitchMark.of(node);
    mark.ifPresent(
        begun ->
            line(
                text,
                "Switch",
                "to %s since %s, %s; to continue: numaspark smt %s --to %s"
                    .formatted(
                        begun.to().word(),
                        begun.since(),
                        begun.stage().name().toLowerCase(Locale.ROOT),
                        name,
                        begun.to().word())));
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append("%-9s %s%n".formatted(name + ":", OneLine.of(value)));
  }
}

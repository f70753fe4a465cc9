package io.numaspark.render.picture;

import io.numaspark.render.picture.NodePicture.Unheld;
import java.util.ArrayList;
import java.util.List;

/** What colours, patterns and marks of a page mean; only what the page has. */
final class Legend {
  private final Picture picture;
  private final ApplicationColours colours;

  /**
   * One entry.
   *
   * @param style classes of its swatch
   */
  record Entry(String style, String text) {}

  Legend(Picture picture, ApplicationColours colours) {
    this.picture = picture;
    this.colours = colours;
  }

  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    List<CpuHolder> holders = picture.holders();
    colours
        .applications()
        .forEach(name -> entries.add(new Entry(colours.style(name), "executor of " + name)));
    if (has(holders, CpuHolder.Kind.SLOT)) {
      entries.add(new Entry("slot", "slot for an executor"));
    }
    if (has(holders, CpuHolder.Kind.POD)) {
      entries.add(new Entry("pod", "another pod with CPUs of its own (P)"));
    }
    for (Unheld unheld : Unheld.values()) {
      if (picture.nodes().stream().anyMatch(node -> !node.held(unheld).isEmpty())) {
        entries.add(
            new Entry(
                unheld.style(),
                "%s (%s): %s".formatted(unheld.word(), unheld.initial(), unheld.meaning())));
      }
    }
    if (has(holders, PinState.Verdict.NOT_PINNED)) {
      entries.add(new Entry("free not", "not pinned (!)"));
    }
    if (has(holders, PinState.Verdict.UNKNOWN)) {
      entries.add(new Entry("free unknown", "not known to be pinned (?)"));
    }
    entries.add(new Entry("cache", "last-level cache (LLC)"));
    return entries;
  }

  private static boolean has(List<CpuHolder> holders, CpuHolder.Kind kind) {
    return holders.stream().anyMatch(holder -> holder.kind() == kind);
  }

  private static boolean has(List<CpuHolder> holders, PinState.Verdict verdict) {
    return holders.stream()
        .anyMatch(
            holder ->
                holder.kind() == CpuHolder.Kind.EXECUTOR && holder.pinning().verdict() == verdict);
  }
}

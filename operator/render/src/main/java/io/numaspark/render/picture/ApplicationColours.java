package io.numaspark.render.picture;

import java.util.List;

/**
 * Which colour belongs to which application, by the order of their names.
 *
 * <p>Limit: there are eight; the ninth application has the colour of the first, and names tell them
 * apart.
 */
record ApplicationColours(List<String> applications) {

  static ApplicationColours of(List<CpuHolder> holders) {
    return new ApplicationColours(
        holders.stream()
            .map(CpuHolder::application)
            .filter(name -> !name.isEmpty())
            .distinct()
            .sorted()
            .toList());
  }

  /** The class of the style sheet for what belongs to an application. */
  String style(String application) {
    return "app" + applications.indexOf(application) % Palette.LIGHT.applications().size();
  }

  /** The classes of the style sheet for a holder. */
  String style(CpuHolder holder) {
    String colour =
        switch (holder.kind()) {
          case EXECUTOR -> style(holder.application());
          case SLOT -> "slot";
          case POD -> "pod";
        };
    return switch (holder.pinning().verdict()) {
      case NOT_PINNED -> colour + " not";
      case UNKNOWN -> holder.kind() == CpuHolder.Kind.EXECUTOR ? colour + " unknown" : colour;
      case PREDICTED, PINNED -> colour;
    };
  }
}

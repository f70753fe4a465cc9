package io.numaspark.render.picture;

import java.util.List;

/**
 * Colours for one colour scheme, as #rrggbb.
 *
 * @param page behind everything
 * @param box behind a NUMA node
 * @param line frames
 * @param applications of holders, in turn
 */
record Palette(
    String page, String box, Ink ink, String line, Others others, List<Tint> applications) {

  /**
   * Text.
   *
   * @param alarm of what is not pinned
   */
  record Ink(String text, String muted, String alarm) {}

  /** What belongs to no application. */
  record Others(Tint reserved, Tint stranded, Tint free, Tint slot, Tint pod) {}

  /**
   * A filled area.
   *
   * @param edge its border, or the lines of its pattern
   */
  record Tint(String fill, String edge) {}

  static final Palette LIGHT =
      new Palette(
          "#ffffff",
          "#f6f8fa",
          new Ink("#1f2328", "#57606a", "#b3261e"),
          "#818b98",
          new Others(
              new Tint("#e1e6eb", "#9aa4af"),
              new Tint("#fff4c2", "#b08800"),
              new Tint("#ffffff", "#818b98"),
              new Tint("#dceefc", "#3a79b7"),
              new Tint("#d8d8d8", "#5c5c5c")),
          List.of(
              new Tint("#cfe4ff", "#0969da"),
              new Tint("#ffdfc2", "#bc4c00"),
              new Tint("#c8f0d0", "#1a7f37"),
              new Tint("#e6d9ff", "#8250df"),
              new Tint("#ffd6e8", "#bf3989"),
              new Tint("#e3ecb4", "#5c6e00"),
              new Tint("#bdeeee", "#0b7285"),
              new Tint("#ecd9c6", "#7a4a1f")));

  static final Palette DARK =
      new Palette(
          "#0d1117",
          "#161b22",
          new Ink("#e6edf3", "#9da7b3", "#ff8e84"),
          "#7d8590",
          new Others(
              new Tint("#30363d", "#545d68"),
              new Tint("#3d3200", "#a88412"),
              new Tint("#0d1117", "#7d8590"),
              new Tint("#16324a", "#5aa0dc"),
              new Tint("#3c3c3c", "#a0a0a0")),
          List.of(
              new Tint("#0c3f78", "#58a6ff"),
              new Tint("#6b3208", "#f0883e"),
              new Tint("#0f4a26", "#3fb950"),
              new Tint("#45307e", "#bc8cff"),
              new Tint("#6b2149", "#f778ba"),
              new Tint("#3f4a0a", "#a9b83a"),
              new Tint("#0b4a52", "#39c5cf"),
              new Tint("#4f3520", "#c69a6d")));
}

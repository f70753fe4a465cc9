package io.numaspark.sparkbench;

import io.numaspark.trial.statistics.PairedRatios;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A bar chart as SVG: for each query a bar a variant, whose length is its time as a share of the
 * baseline's, with a line from the best to the worst round. Colors follow the reader's light or
 * dark scheme.
 */
final class Plot {

  private static final int LABELS = 150;
  private static final int WIDTH = 620;
  private static final int BAR = 9;
  private static final int GAP = 8;
  private static final int TOP = 62;
  private static final int LEGEND_LINE = 16;

  /** Fixed order, far apart for most eyes (Okabe and Ito, 2008). */
  private static final List<String> COLORS =
      List.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999999");

  private final Results results;
  private final List<String> variants;
  private final double most;
  private final StringBuilder svg = new StringBuilder();

  private Plot(Results results) {
    this.results = results;
    String baseline = results.suite().baseline();
    this.variants =
        results.variants().stream().filter(variant -> !variant.equals(baseline)).toList();
    double slowest =
        results.queries().stream()
            .flatMap(query -> variants.stream().flatMap(variant -> ratio(query, variant).stream()))
            .mapToDouble(PairedRatios::median)
            .max()
            .orElse(1);
    this.most = Math.min(3, Math.max(1.25, Math.ceil(slowest * 4) / 4));
  }

  static String of(Results results) {
    return new Plot(results).draw();
  }

  private Optional<PairedRatios> ratio(String query, String variant) {
    return results.ratio(query, variant);
  }

  private String draw() {
    int top = TOP + variants.size() * LEGEND_LINE;
    int queryHeight = variants.size() * BAR + GAP;
    int bottom = top + results.queries().size() * queryHeight;
    head(bottom + 34);
    grid(top, bottom);
    int y = top;
    for (String query : results.queries()) {
      text(LABELS - 6, y + queryHeight / 2, "end", query);
      for (int i = 0; i < variants.size(); i++) {
        int barTop = y + i * BAR;
        String color = color(i);
        ratio(query, variants.get(i)).ifPresent(sample -> bar(sample, barTop, color));
      }
      y += queryHeight;
    }
    return svg.append("</svg>\n").toString();
  }

  private void head(int height) {
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
        <title>%3$s</title>
        <style>
        text { font: 11px system-ui, sans-serif; fill: #24292f }
        .title { font-size: 13px; font-weight: 600 }
        .grid { stroke: #d0d7de } .one { stroke: #24292f } .spread { stroke: #57606a; stroke-width: 1.2 }
        .page { fill: #ffffff }
        @media (prefers-color-scheme: dark) {
        text { fill: #e6edf3 } .grid { stroke: #30363d } .one { stroke: #e6edf3 } .spread { stroke: #9da7b3 }
        .page { fill: #0d1117 }
        }
        </style>
        <rect class="page" width="100%%" height="100%%"/>
        """
            .formatted(LABELS + WIDTH + 40, height, escaped(results.suite().title())));
    svg.append("<text class=\"title\" x=\"10\" y=\"20\">")
        .append(escaped(results.suite().title()))
        .append("</text>\n");
    text(
        10,
        38,
        "start",
        "time as a share of "
            + results.suite().baseline()
            + ": median of rounds, line from best to worst round");
    for (int i = 0; i < variants.size(); i++) {
      int y = 46 + i * LEGEND_LINE;
      append("<rect x=\"10\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>", y, color(i));
      text(26, y + 9, "start", legend(variants.get(i)));
    }
  }

  private String legend(String variant) {
    String against = results.suite().baselineOf(variant);
    return against.equals(results.suite().baseline())
        ? variant
        : variant + ", as a share of " + against;
  }

  private void grid(int top, int bottom) {
    for (double share = 0; share <= most + 1e-9; share += 0.25) {
      double x = x(share);
      append(
          "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>",
          share == 1 ? "one" : "grid", x, x, top - 4, bottom);
      text(x, bottom + 16, "middle", String.format(Locale.ROOT, "%.0f %%", share * 100));
    }
  }

  private void bar(PairedRatios ratio, int y, String color) {
    append(
        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
        LABELS, y, x(ratio.median()) - LABELS, BAR - 2, color);
    append(
        "<line class=\"spread\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
        x(ratio.range().low()), x(ratio.range().high()), y + (BAR - 2) / 2.0, y + (BAR - 2) / 2.0);
    if (ratio.median() > most) {
      text(
          LABELS + WIDTH + 4,
          y + BAR - 1,
          "start",
          String.format(Locale.ROOT, "%.1f×", ratio.median()));
    }
  }

  private double x(double share) {
    return LABELS + Math.min(share, most) / most * WIDTH;
  }

  private void text(double x, double y, String anchor, String text) {
    append("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
  }

  private void append(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String color(int variant) {
    return COLORS.get(variant % COLORS.size());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

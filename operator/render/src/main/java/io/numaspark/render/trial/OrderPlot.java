package io.numaspark.render.trial;

import io.numaspark.render.picture.Markup;
import io.numaspark.trial.engine.Run;
import java.util.List;
import java.util.Locale;

/** Every run in the order in which it ran: a machine that gets slower shows here. */
final class OrderPlot {
  private static final int LEFT = 60;
  private static final int WIDTH = 670;
  private static final int HEIGHT = 150;

  private final List<Run> runs;
  private final String baseline;

  OrderPlot(List<Run> runs, String baseline) {
    this.runs = runs;
    this.baseline = baseline;
  }

  void draw(Markup page) {
    double most = runs.stream().mapToDouble(Run::seconds).max().orElse(1);
    page.open(
        "svg",
        "viewBox",
        "0 0 %d %d".formatted(LEFT + WIDTH + 20, HEIGHT + 30),
        "role",
        "img",
        "aria-label",
        "seconds of each run in their order");
    page.element("text", seconds(most), "class", "name", "x", "52", "y", "14");
    page.element("text", "0 s", "class", "name", "x", "52", "y", Integer.toString(HEIGHT));
    page.empty(
        "line",
        "class",
        "one",
        "x1",
        Integer.toString(LEFT),
        "x2",
        Integer.toString(LEFT + WIDTH),
        "y1",
        Integer.toString(HEIGHT),
        "y2",
        Integer.toString(HEIGHT));
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      double x = LEFT + (i + 0.5) / runs.size() * WIDTH;
      double y = HEIGHT - run.seconds() / most * (HEIGHT - 14);
      page.open(
              "circle",
              "class",
              !run.isOk() ? "failed" : run.arm().equals(baseline) ? "base" : "other",
              "cx",
              number(x),
              "cy",
              number(y),
              "r",
              run.disturbed() ? "5" : "3")
          .element("title", run.arm() + ", " + seconds(run.seconds()))
          .close();
    }
    page.close();
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.1f s", seconds);
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}

package io.numaspark.render.trial;

import io.numaspark.render.picture.Markup;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.statistics.Interval;
import io.numaspark.trial.verdict.ArmResult;
import io.numaspark.trial.verdict.TrialResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * A row for each arm: its interval as a line, the mean as a square, every round as a dot, and the
 * margin of the trial as a band around the baseline.
 *
 * <p>Limit: shares beyond {@value #LEAST} and {@value #MOST} are drawn at the edge.
 */
final class ForestPlot {
  private static final int LABELS = 170;
  private static final int WIDTH = 560;
  private static final int ROW = 34;
  private static final int TOP = 24;
  private static final double LEAST = 0.25;
  private static final double MOST = 4;

  private final TrialResult result;
  private final List<Map<String, Run>> rounds;
  private final double low;
  private final double high;

  /**
   * @param rounds those that count
   */
  ForestPlot(TrialResult result, List<Map<String, Run>> rounds) {
    this.result = result;
    this.rounds = rounds;
    double margin = result.design().minimumEffect();
    double smallest = 1 / (1 + 2 * margin);
    double largest = 1 + 2 * margin;
    for (ArmResult arm : result.arms()) {
      if (arm.ratios().isPresent()) {
        Interval range = arm.ratios().get().range();
        Interval interval = arm.interval().orElse(range);
        smallest = Math.min(smallest, Math.min(range.low(), interval.low()));
        largest = Math.max(largest, Math.max(range.high(), interval.high()));
      }
    }
    this.low = Math.max(LEAST, smallest * 0.98);
    this.high = Math.min(MOST, largest * 1.02);
  }

  void draw(Markup page) {
    int bottom = TOP + ROW * result.arms().size();
    page.open(
        "svg",
        "viewBox",
        "0 0 %d %d".formatted(LABELS + WIDTH + 20, bottom + 24),
        "role",
        "img",
        "aria-label",
        result.design().metric().words() + " of each arm as a share of the baseline's");
    double margin = result.design().minimumEffect();
    double left = x(1 / (1 + margin));
    rect(page, left, TOP - 6, x(1 + margin) - left, bottom - TOP + 6, "margin");
    line(page, x(1), TOP - 6, x(1), bottom, "one");
    for (double share : ticks()) {
      text(page, x(share), bottom + 16, "tick", percent(share));
    }
    int y = TOP + ROW / 2;
    for (ArmResult arm : result.arms()) {
      text(page, LABELS - 8, y + 4, "name", arm.arm().name());
      row(page, arm, y);
      y += ROW;
    }
    page.close();
  }

  private void row(Markup page, ArmResult arm, int y) {
    if (arm.ratios().isEmpty()) {
      text(page, LABELS + 8, y + 4, "none", "no verdict: " + arm.reason());
      return;
    }
    for (Map<String, Run> round : rounds) {
      Run run = round.get(arm.arm().name());
      if (run != null && run.isOk()) {
        double share =
            run.value(result.design().metric())
                / round.get(result.design().baseline().name()).value(result.design().metric());
        page.empty(
            "circle", "class", "round", "cx", number(x(share)), "cy", number(y + 9), "r", "2.5");
      }
    }
    arm.interval()
        .ifPresent(interval -> line(page, x(interval.low()), y, x(interval.high()), y, "interval"));
    rect(page, x(arm.ratios().get().mean()) - 4, y - 4, 8, 8, "mean");
  }

  /** Shares for the axis: 5 to 9 of them, at round percentages. */
  private List<Double> ticks() {
    double step =
        List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0).stream()
            .filter(width -> (high - low) / width <= 9)
            .findFirst()
            .orElse(1.0);
    return DoubleStream.iterate(
            Math.ceil(low / step) * step, share -> share <= high + 1e-9, share -> share + step)
        .boxed()
        .toList();
  }

  private double x(double share) {
    double bounded = Math.max(low, Math.min(high, share));
    return LABELS + (bounded - low) / (high - low) * WIDTH;
  }

  private static void rect(
      Markup page, double x, double y, double width, double height, String style) {
    page.empty(
        "rect",
        "class",
        style,
        "x",
        number(x),
        "y",
        number(y),
        "width",
        number(width),
        "height",
        number(height));
  }

  private static void line(Markup page, double x1, double y1, double x2, double y2, String style) {
    page.empty(
        "line",
        "class",
        style,
        "x1",
        number(x1),
        "y1",
        number(y1),
        "x2",
        number(x2),
        "y2",
        number(y2));
  }

  private static void text(Markup page, double x, double y, String style, String content) {
    page.element("text", content, "class", style, "x", number(x), "y", number(y));
  }

  private static String number(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", share * 100);
  }
}

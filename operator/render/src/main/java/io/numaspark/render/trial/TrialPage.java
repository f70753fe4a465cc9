package io.numaspark.render.trial;

import io.numaspark.render.picture.Markup;
import io.numaspark.trial.design.TrialDesign;
import io.numaspark.trial.engine.Rounds;
import io.numaspark.trial.engine.Run;
import io.numaspark.trial.verdict.ArmResult;
import io.numaspark.trial.verdict.Doubt;
import io.numaspark.trial.verdict.TrialResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A trial as one HTML page without scripts or other files: the answer first, then whether it can be
 * trusted, the plots, and what was not measured.
 */
public final class TrialPage {
  private static final String STYLE =
      """

      :root{color-scheme:light dark}
      body{margin:0;padding:16px;font:14px/1.45 system-ui,"Segoe UI",Roboto,Arial,sans-serif;max-width:60em}
      h1{font-size:20px;margin:0 0 8px}h2{font-size:16px;margin:20px 0 4px}
      .answer{font-size:16px;font-weight:600;border-left:4px solid;padding:4px 12px}
      table{border-collapse:collapse;font-size:13px}th,td{border:1px solid;padding:2px 8px;text-align:left;vertical-align:top}
      code{overflow-wrap:anywhere}svg{display:block;max-width:100%;height:auto}
      svg text{font-size:11px;fill:currentColor}.name{text-anchor:end}.tick{text-anchor:middle}
      .margin{fill:currentColor;opacity:.1}.one{stroke:currentColor;stroke-width:1}.interval{stroke:currentColor;stroke-width:2}
      .mean{fill:currentColor}.round{fill:none;stroke:currentColor;stroke-width:1;opacity:.7}
      .base{fill:currentColor}.other{fill:none;stroke:currentColor}.failed{fill:none;stroke:currentColor;stroke-dasharray:2 1}
      """;

  private final TrialReport report;
  private final TrialResult result;
  private final List<Map<String, Run>> counted;
  private final Markup page = new Markup();

  private TrialPage(TrialReport report) {
    this.report = report;
    this.result = report.result();
    this.counted = new Rounds(result.design(), report.runs()).counted();
  }

  /** The page as HTML that is also well-formed XML. */
  public static String of(TrialReport report) {
    return "<!DOCTYPE html>\n" + new TrialPage(report).draw();
  }

  private String draw() {
    page.open("html", "lang", "en")
        .open("head")
        .empty("meta", "charset", "utf-8")
        .empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
        .element("title", "Trial: " + report.title())
        .style(STYLE)
        .close()
        .open("body")
        .element("h1", report.title())
        .element("p", result.summary(), "class", "answer");
    trust();
    plots();
    table();
    list(
        "What the studies found, on other machines and other versions of Spark",
        report.published());
    list("Not compared", report.omitted());
    conditions();
    return page.close().close().finish();
  }

  private void trust() {
    page.element("h2", "Can it be trusted?");
    if (result.isTrustworthy()) {
      page.element(
          "p",
          String.format(
              Locale.ROOT,
              "Yes. The baseline does not differ from itself%s. %d rounds count, %d were disturbed. The noise of a round is %.1f %%,"
                  + " so these rounds show a difference of %.1f %% half of the time.",
              result.design().delay() > 0 ? ", and a slowdown on purpose was found" : "",
              result.rounds(),
              result.disturbed(),
              result.noise() * 100,
              result.detectable() * 100));
    } else {
      page.element("p", "No:").open("ul");
      result.doubts().stream().map(Doubt::message).forEach(message -> page.element("li", message));
      page.close();
    }
    page.element("p", "The trial ended because " + result.ending().words() + ".");
  }

  private void plots() {
    String words = result.design().metric().words();
    page.element(
        "h2",
        words.substring(0, 1).toUpperCase(Locale.ROOT)
            + words.substring(1)
            + " as a share of "
            + result.design().baseline().name());
    new ForestPlot(result, counted).draw(page);
    page.element(
        "p",
        String.format(
            Locale.ROOT,
            "Square: geometric mean. Line: interval that holds for all candidates together with %.0f %%. Circles: rounds. Band: ±%.0f %%,"
                + " which does not matter to this trial.",
            TrialDesign.CONFIDENCE * 100,
            result.design().minimumEffect() * 100));
    page.element("h2", "Time of all runs in their order");
    new OrderPlot(report.runs(), result.design().baseline().name()).draw(page);
    page.element("p", "Full: baseline. Large: disturbed. Dashed: failed.");
  }

  private void table() {
    page.element("h2", "Arms").open("table").open("tr");
    List.of("arm", "what it is", "verdict", "reason")
        .forEach(heading -> page.element("th", heading));
    page.close();
    String baseline = result.design().baseline().name();
    row(baseline, "baseline", "The others are compared with it.");
    for (ArmResult arm : result.arms()) {
      row(arm.arm().name(), arm.verdict().words(result.design().metric()), arm.reason());
    }
    page.close();
    new CostTable(result.design(), counted).draw(page);
  }

  private void row(String name, String verdict, String reason) {
    page.open("tr")
        .element("td", name)
        .element("td", report.words().getOrDefault(name, ""))
        .element("td", verdict)
        .element("td", reason)
        .close();
  }

  private void list(String heading, List<String> sentences) {
    if (sentences.isEmpty()) {
      return;
    }
    page.element("h2", heading).open("ul");
    sentences.forEach(sentence -> page.element("li", sentence));
    page.close();
  }

  private void conditions() {
    page.element("h2", "Conditions")
        .element("p", report.machine())
        .element(
            "p",
            "Each run had fresh JVMs and ran alone. The first round, which filled the caches, does not count. The result holds for this"
                + " application, this input and this kind of machine.")
        .open("p")
        .element("code", report.command())
        .close()
        .element("p", "Repeat it with:")
        .open("p")
        .element("code", report.repeat())
        .close();
  }
}

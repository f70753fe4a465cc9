package numaspark.facts;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import numaspark.facts.ExecutorFacts.Placement;

/** Draws the facts as an HTML table, one row an executor; everything in it is escaped. */
final class FactsTable {
  /** What a browser still shows at once; the gauges count all. */
  private static final int MOST_ROWS = 1000;

  private static final List<String> COLUMNS =
      List.of(
          "Executor",
          "Host",
          "CPUs",
          "NUMA nodes of the CPUs",
          "Memory nodes",
          "Pinned",
          "Page locality",
          "Throttled",
          "Run-queue wait",
          "GC",
          "CPUs in use",
          "Tasks: mean, most");

  private FactsTable() {}

  static String html(Collection<ExecutorFacts> executors) {
    if (executors.isEmpty()) {
      return "<p>No executor has reported its facts yet.</p>";
    }
    StringBuilder html = new StringBuilder();
    if (executors.size() > MOST_ROWS) {
      html.append("<p>The first ").append(MOST_ROWS).append(" of ").append(executors.size());
      html.append(" executors.</p>");
    }
    html.append("<table class=\"table table-bordered table-sm table-striped\"><thead><tr>");
    COLUMNS.forEach(column -> html.append("<th>").append(escape(column)).append("</th>"));
    html.append("</tr></thead><tbody>");
    executors.stream().limit(MOST_ROWS).forEach(facts -> row(html, facts));
    html.append("</tbody></table>");
    return html.toString();
  }

  private static void row(StringBuilder html, ExecutorFacts facts) {
    Placement placement = facts.placement();
    String unread = String.join("\n", facts.unread());
    html.append("<tr title=\"").append(escape(unread)).append("\">");
    cell(html, facts.executorId());
    cell(html, facts.host());
    cell(html, orUnknown(placement.cpus()));
    cell(html, orUnknown(placement.numaNodes()));
    cell(html, orUnknown(placement.memoryNodes()));
    cell(html, words(placement));
    cell(html, percent(FactsSummary.locality(facts)));
    cell(html, number(FactsSummary.throttledSeconds(facts), "%.2f s"));
    cell(html, percent(FactsSummary.waitShare(facts)));
    cell(html, percent(facts.gcShare()));
    cell(html, number(FactsSummary.cpus(facts), "%.2f"));
    cell(
        html,
        facts.tasks() == null
            ? "?"
            : String.format(Locale.ROOT, "%.1f, %d", facts.tasks().mean(), facts.tasks().most()));
    html.append("</tr>");
  }

  private static String words(Placement placement) {
    return switch (placement.pinned()) {
      case YES -> "yes";
      case CPUS_SPAN_NODES -> "no: CPUs of several NUMA nodes";
      case MEMORY_SPANS_NODES -> "no: memory of several NUMA nodes";
      case ALL_CPUS -> "no: all CPUs of the machine";
      case UNKNOWN -> "?";
    };
  }

  private static void cell(StringBuilder html, String text) {
    html.append("<td>").append(escape(text)).append("</td>");
  }

  private static String orUnknown(String text) {
    return text == null ? "?" : text;
  }

  private static String percent(Double share) {
    return share == null ? "?" : String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  private static String number(Double number, String format) {
    return number == null ? "?" : String.format(Locale.ROOT, format, number);
  }

  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(c < ' ' && c != '\n' ? '?' : c);
      }
    }
    return escaped.toString();
  }
}

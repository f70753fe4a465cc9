package io.numaspark.sparkbench;

import java.io.PrintStream;
import java.util.Locale;

/** What a person sees while it runs. */
record Progress(PrintStream out) {

  void say(String text) {
    out.println(text);
  }

  void measured(Measurement m) {
    out.printf(
        Locale.ROOT,
        "%-14s %-16s %-28s %s %8.2f s %8.2f CPU-s %6.0f MiB%n",
        m.suite(),
        m.query(),
        m.variant(),
        m.round() < 0 ? "warm-up" : "run " + m.round() + "  ",
        m.seconds(),
        m.cpuSeconds(),
        m.memoryMebibytes());
  }
}

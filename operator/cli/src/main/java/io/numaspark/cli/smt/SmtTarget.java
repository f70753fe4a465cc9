package io.numaspark.cli.smt;

import java.util.Locale;

/** The state that SMT is to have. */
enum SmtTarget {
  OFF,
  ON;

  /** As the kernel writes it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

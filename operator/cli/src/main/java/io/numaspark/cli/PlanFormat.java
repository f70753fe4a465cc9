package io.numaspark.cli;

/** How a plan is printed: as other documents are, or as a picture. */
enum PlanFormat {
  TABLE,
  YAML,
  JSON,
  SVG,
  HTML
}

package io.numaspark.cli;

/** How a plan is printed: as other documents are, or as a picture. */
public enum PlanFormat {
  TABLE,
  YAML,
  JSON,
  SVG,
  HTML
}

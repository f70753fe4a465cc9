package io.numaspark.render.conf;

/**
 * Who gives a Spark property its value. This order is the precedence of the whole renderer: of all
 * values for one property the one with the last origin in this list wins.
 */
public enum Origin {
  /** numaspark computes it, for example from the profile's shape or as Spark's own submission. */
  DERIVED("derived"),
  /** A typed field of the application stands for it. */
  FIELD("field"),
  /** The application's spec.sparkConf names the property. */
  USER("sparkConf"),
  /** The application cannot run as its fields ask without this value. */
  ENFORCED("enforced");

  private final String displayName;

  Origin(String displayName) {
    this.displayName = displayName;
  }

  /** As it is written in documents and tables. */
  public String displayName() {
    return displayName;
  }
}

package numaspark.adaptive;

import numaspark.feature.PluginSettings;

/** How the number of threads of a stage is found. */
enum Mode {
  /** Spark's own way: every slot runs a task. */
  OFF,
  /** A fixed number for stages that read or write external storage. */
  STATIC,
  /** Measured, for each stage on each executor. */
  DYNAMIC;

  static Mode of(String value) {
    return switch (value) {
      case "off" -> OFF;
      case "static" -> STATIC;
      case "dynamic" -> DYNAMIC;
      default -> throw PluginSettings.invalid("adaptive.mode", value, "off, static or dynamic");
    };
  }
}

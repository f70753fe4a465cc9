package numaspark.feature;

import org.apache.spark.SparkConf;

/**
 * The plugin's own properties, read from Spark's configuration.
 *
 * <p>{@code spark-submit} drops every property that does not begin with {@code spark.}, so the full
 * name of {@code adaptive.mode} is {@code spark.numaspark.adaptive.mode}. A program that fills its
 * {@link SparkConf} itself may leave {@code spark.} out.
 */
public final class PluginSettings {
  public static final String PREFIX = "spark.numaspark.";
  private static final String SHORT_PREFIX = "numaspark.";

  private final SparkConf conf;

  public PluginSettings(SparkConf conf) {
    this.conf = conf;
  }

  /** The value of {@code spark.numaspark.<name>}, or what stands in for it. */
  public String text(String name, String otherwise) {
    return conf.get(PREFIX + name, conf.get(SHORT_PREFIX + name, otherwise));
  }

  /**
   * @throws IllegalArgumentException when the value is neither {@code true} nor {@code false}
   */
  public boolean flag(String name, boolean otherwise) {
    String value = text(name, Boolean.toString(otherwise));
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, value, "true or false");
    };
  }

  /**
   * @throws IllegalArgumentException when the value is not a whole number or outside of the range
   */
  public int whole(String name, int otherwise, int least, int most) {
    String value = text(name, Integer.toString(otherwise));
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, with the range
    }
    throw invalid(name, value, "a whole number from " + least + " to " + most);
  }

  /**
   * @throws IllegalArgumentException when the value is not a number or outside of the range
   */
  public double fraction(String name, double otherwise, double least, double most) {
    String value = text(name, Double.toString(otherwise));
    try {
      double number = Double.parseDouble(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, with the range
    }
    throw invalid(name, value, "a number from " + least + " to " + most);
  }

  /** Says which property is wrong, what it holds, and what it may hold. */
  public static IllegalArgumentException invalid(String name, String value, String expected) {
    return new IllegalArgumentException(PREFIX + name + "=" + value + ": expected " + expected);
  }
}

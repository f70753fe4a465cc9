package io.numaspark.render;

/**
 * Bounds of numbers as the custom resources' schemas state them, for files that never went through
 * an API server.
 */
public final class Bounds {
  private Bounds() {}

  /**
   * Checks a number that may be absent.
   *
   * @throws IllegalArgumentException naming the field and the bounds, if it is out of them
   */
  public static void within(String field, Integer value, int least, int most) {
    if (value != null && (value < least || value > most)) {
      throw new IllegalArgumentException(
          field + ": " + value + " is out of range; give " + least + " to " + most);
    }
  }

  /**
   * Checks a number of bytes or pages that may be absent.
   *
   * @throws IllegalArgumentException naming the field, if it is negative
   */
  public static void notNegative(String field, Long value) {
    if (value != null && value < 0) {
      throw new IllegalArgumentException(field + ": " + value + " is negative; give 0 or more");
    }
  }
}

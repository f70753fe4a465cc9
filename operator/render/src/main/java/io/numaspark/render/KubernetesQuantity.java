package io.numaspark.render;

import java.math.BigDecimal;

/**
 * An amount as Kubernetes writes it, such as 1500m, 30Gi or 2e3.
 *
 * <p>Grammar of k8s.io/apimachinery, pkg/api/resource: Quantity. Own code, because fabric8's class
 * of the same purpose loads a JSON mapper, which is more than the whole agent may take, and
 * computes for minutes with a million digits. Limit: as many digits as are written; the kubelet
 * rounds up at nine after the point.
 */
public final class KubernetesQuantity {
  private static final BigDecimal BINARY_STEP = BigDecimal.valueOf(1024);
  private static final String BINARY = "KMGTPE";
  private static final String DECIMAL = "num kMGTPE";

  /** Where the suffix for 1 would stand. */
  private static final int ONE = DECIMAL.indexOf(' ');

  /** No amount of Kubernetes has more digits; time grows with the square of their number. */
  private static final int LONGEST = 64;

  private static final int LARGEST_EXPONENT = 99;

  private KubernetesQuantity() {}

  /**
   * The amount.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static BigDecimal parse(String text) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "a quantity has at most " + LONGEST + " characters, this one has " + text.length());
    }
    int end = 0;
    while (end < text.length() && "+-.0123456789".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    // A NumberFormatException is an IllegalArgumentException, and says as much.
    BigDecimal number = new BigDecimal(text.substring(0, end));
    String suffix = text.substring(end);
    if (suffix.isEmpty()) {
      return number;
    }
    if (suffix.length() == 2 && suffix.charAt(1) == 'i') {
      return number.multiply(BINARY_STEP.pow(1 + index(BINARY, suffix)));
    }
    if (suffix.length() == 1) {
      return number.scaleByPowerOfTen(3 * (index(DECIMAL, suffix) - ONE));
    }
    if (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E') {
      return number.scaleByPowerOfTen(exponent(suffix));
    }
    throw unknown(suffix);
  }

  private static int exponent(String suffix) {
    int exponent = Integer.parseInt(suffix.substring(1));
    if (Math.abs((long) exponent) > LARGEST_EXPONENT) {
      throw unknown(suffix);
    }
    return exponent;
  }

  private static int index(String known, String suffix) {
    int index = known.indexOf(suffix.charAt(0));
    if (index < 0 || suffix.charAt(0) == ' ') {
      throw unknown(suffix);
    }
    return index;
  }

  private static IllegalArgumentException unknown(String suffix) {
    return new IllegalArgumentException("'" + suffix + "' is not a suffix of a quantity");
  }
}

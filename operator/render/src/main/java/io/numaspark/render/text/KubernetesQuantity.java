package io.numaspark.render.text;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An amount as Kubernetes writes it, such as 1500m, 30Gi or 2e3.
 *
 * <p>The grammar is that of k8s.io/apimachinery, pkg/api/resource: Quantity. It is checked before
 * fabric8's class reads the text, because that computes for minutes with a million digits or a
 * large exponent. Limit: as many digits as are written; the kubelet rounds up at nine after the
 * point.
 */
public final class KubernetesQuantity {
  /** No amount of Kubernetes has more digits; time grows with the square of their number. */
  private static final int LONGEST = 64;

  private static final Pattern GRAMMAR =
      Pattern.compile(
          "[-+]?(?:[0-9]++(?:[.][0-9]*)?|[.][0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][-+]?[0-9]{1,2})?");

  private KubernetesQuantity() {}

  /**
   * The amount.
   *
   * @throws IllegalArgumentException if the text is not an amount
   */
  public static BigDecimal parse(String text) {
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "a quantity has at most " + LONGEST + " characters, this one has " + text.length());
    }
    if (!GRAMMAR.matcher(text).matches()) {
      throw new IllegalArgumentException("'" + text + "' is not a quantity of Kubernetes");
    }
    return Quantity.getAmountInBytes(Quantity.parse(text));
  }
}

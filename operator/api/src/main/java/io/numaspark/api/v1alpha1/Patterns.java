package io.numaspark.api.v1alpha1;

/** Notations of sizes; digits are few, as time to read a number grows with their square. */
final class Patterns {
  /** Spark's memory strings, for example 512m or 4g, and Kubernetes' binary suffixes. */
  static final String MEMORY = "^[1-9][0-9]{0,16}([kKmMgGtT]([bB]|i)?)?$";

  /** A positive Kubernetes CPU quantity, for example 2, 1.5 or 500m. */
  static final String CPU = "^([1-9][0-9]{0,8}m?|[0-9]{1,9}\\.[0-9]{1,3})$";

  /** A non-negative Kubernetes quantity of bytes, for example 30Gi or 0. */
  static final String BYTES = "^[0-9]{1,19}(\\.[0-9]{1,3})?(Ki|Mi|Gi|Ti|k|M|G|T)?$";

  private Patterns() {}
}

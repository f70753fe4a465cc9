package io.numaspark.planner.topology;

/** Sizes of huge pages as Kubernetes names them: 64Ki, 2Mi, 1Gi (HugePageResourceName). */
public final class HugepageSize {
  private static final String UNITS = "KMGTPE";

  private HugepageSize() {}

  /** The shortest name of a page size in bytes, a power of two of at least 1 KiB. */
  public static String canonical(long bytes) {
    int unit = -1;
    long number = bytes;
    while (number % 1024 == 0 && number > 0 && unit < UNITS.length() - 1) {
      number /= 1024;
      unit++;
    }
    return unit < 0 ? String.valueOf(number) : number + UNITS.substring(unit, unit + 1) + "i";
  }

  /** Bytes of a page size as {@link #canonical} writes it. */
  public static long bytes(String canonical) {
    int digits = 0;
    while (digits < canonical.length() && Character.isDigit(canonical.charAt(digits))) {
      digits++;
    }
    long number = Long.parseLong(canonical.substring(0, digits));
    return digits == canonical.length()
        ? number
        : number << 10 * (UNITS.indexOf(canonical.charAt(digits)) + 1);
  }
}

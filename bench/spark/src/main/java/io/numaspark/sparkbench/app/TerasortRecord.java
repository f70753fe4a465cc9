package io.numaspark.sparkbench.app;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A record of 100 bytes, ordered by its first 10 as unsigned numbers. Limit: it keeps the array it
 * is given.
 */
record TerasortRecord(byte[] bytes) implements Serializable {

  static final int LENGTH = 100;
  static final int KEY = 10;

  /** The order of the keys. */
  static final class ByKey implements Comparator<byte[]>, Serializable {

    private static final long serialVersionUID = 1;

    @Override
    public int compare(byte[] a, byte[] b) {
      return Arrays.compareUnsigned(a, b);
    }
  }

  byte[] key() {
    return Arrays.copyOf(bytes, KEY);
  }
}

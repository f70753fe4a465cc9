package io.numaspark.sparkbench.app;

import java.util.Arrays;
import java.util.Iterator;
import scala.Tuple5;

/**
 * What is known of consecutive records: how many, a sum that does not depend on their order, and
 * whether they are in order.
 *
 * @param first key of the first record, null of none
 * @param last key of the last record, null of none
 */
record SortedPart(long count, long sum, boolean sorted, byte[] first, byte[] last) {

  static final SortedPart EMPTY = new SortedPart(0, 0, true, null, null);

  static SortedPart of(Iterator<byte[]> records) {
    long count = 0;
    long sum = 0;
    boolean sorted = true;
    byte[] first = null;
    byte[] last = null;
    while (records.hasNext()) {
      byte[] record = records.next();
      byte[] key = Arrays.copyOf(record, TerasortRecord.KEY);
      if (first == null) {
        first = key;
      } else {
        sorted &= Arrays.compareUnsigned(last, key) <= 0;
      }
      last = key;
      count++;
      sum += hash(record);
    }
    return new SortedPart(count, sum, sorted, first, last);
  }

  /** A form that Kryo can send, which it cannot a record. */
  Tuple5<Long, Long, Boolean, byte[], byte[]> tuple() {
    return new Tuple5<>(count, sum, sorted, first, last);
  }

  static SortedPart of(Tuple5<Long, Long, Boolean, byte[], byte[]> tuple) {
    return new SortedPart(tuple._1(), tuple._2(), tuple._3(), tuple._4(), tuple._5());
  }

  SortedPart then(SortedPart next) {
    if (count == 0) {
      return next;
    }
    if (next.count == 0) {
      return this;
    }
    boolean inOrder = sorted && next.sorted && Arrays.compareUnsigned(last, next.first) <= 0;
    return new SortedPart(count + next.count, sum + next.sum, inOrder, first, next.last);
  }

  /** FNV-1a, 64 bits. */
  private static long hash(byte[] record) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : record) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return hash;
  }
}

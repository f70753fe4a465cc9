package io.numaspark.planner.admission;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A choice of NUMA nodes as the kubelet keeps it: a view of an array that later choices may write
 * into.
 *
 * <p>The kubelet remembers its best combination as the Go slice it was called with, and slices of
 * one prefix share their array where it has room (cpu_assignment.go: iterateCombinations). From
 * four NUMA nodes on the remembered combination can therefore change under its hands; a node really
 * gets those CPUs, and so the port does the same.
 */
final class Combination {
  static final Combination EMPTY = new Combination(new int[0], 0);

  private final int[] array;
  private final int size;

  private Combination(int[] array, int size) {
    this.array = array;
    this.size = size;
  }

  int size() {
    return size;
  }

  /** What the array holds now. */
  List<Integer> members() {
    return IntStream.range(0, size).mapToObj(i -> array[i]).toList();
  }

  /** Go's append: into the array if it has room, else into one of twice the size. */
  private Combination and(int member) {
    int[] target =
        size < array.length ? array : Arrays.copyOf(array, Math.max(1, 2 * array.length));
    target[size] = member;
    return new Combination(target, size + 1);
  }

  /** All combinations of a size in lexicographic order, until one is answered with false. */
  static void forEach(List<Integer> of, int size, Predicate<Combination> visitor) {
    if (size >= 1) {
      EMPTY.extend(of, size, 0, visitor);
    }
  }

  private boolean extend(List<Integer> of, int more, int start, Predicate<Combination> visitor) {
    if (more == 0) {
      return visitor.test(this);
    }
    for (int i = start; i <= of.size() - more; i++) {
      if (!and(of.get(i)).extend(of, more - 1, i + 1, visitor)) {
        return false;
      }
    }
    return true;
  }
}

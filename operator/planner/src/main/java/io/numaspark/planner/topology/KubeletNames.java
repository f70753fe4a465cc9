package io.numaspark.planner.topology;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reads the kubelet's spelling of an enum. */
final class KubeletNames {
  private KubeletNames() {}

  static <E extends Enum<E>> E parse(
      E[] values, Function<E, String> spelling, String field, String name) {
    return Arrays.stream(values)
        .filter(value -> spelling.apply(value).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    field
                        + " '"
                        + name
                        + "' is not one of "
                        + Arrays.stream(values).map(spelling).collect(Collectors.joining(", "))));
  }
}

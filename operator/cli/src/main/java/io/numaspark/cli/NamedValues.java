package io.numaspark.cli;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The values of an option by the names that people type, for parsing, help and completion.
 *
 * <p>Limit: picocli makes one by a constructor without arguments, so each option has a subclass.
 */
abstract class NamedValues<V> implements ITypeConverter<V>, Iterable<String> {
  private final List<V> values;
  private final Function<V, String> name;

  NamedValues(V[] values, Function<V, String> name) {
    this.values = List.of(values);
    this.name = name;
  }

  @Override
  public V convert(String typed) {
    return values.stream()
        .filter(value -> name.apply(value).equalsIgnoreCase(typed))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'" + typed + "' is not one of " + String.join(", ", this)));
  }

  @Override
  public Iterator<String> iterator() {
    return values.stream().map(name).iterator();
  }
}

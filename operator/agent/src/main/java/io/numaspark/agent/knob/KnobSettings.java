package io.numaspark.agent.knob;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The wanted value of each knob that somebody wants something of; a knob that is absent is left
 * alone.
 *
 * @param values valid values by knob, in the order of {@link Knob}
 */
public record KnobSettings(Map<Knob, String> values) {

  /** Nothing is wanted. */
  public static final KnobSettings NONE = new KnobSettings(Map.of());

  /**
   * @throws IllegalArgumentException if a knob does not take its value
   */
  public KnobSettings {
    EnumMap<Knob, String> checked = new EnumMap<>(Knob.class);
    values.forEach((knob, value) -> checked.put(knob, knob.check(value)));
    values = Collections.unmodifiableMap(checked);
  }

  /**
   * Reads settings as they stand in {@code spec.knobs.settings}.
   *
   * @param settings values by name of the knob; null for none
   * @throws IllegalArgumentException naming the knob or the value that does not exist
   */
  public static KnobSettings parse(Map<String, String> settings) {
    if (settings == null) {
      return NONE;
    }
    EnumMap<Knob, String> values = new EnumMap<>(Knob.class);
    settings.forEach((key, value) -> values.put(Knob.of(key), value));
    return new KnobSettings(values);
  }
}

package io.numaspark.render.knobs;

import io.numaspark.api.v1alpha1.KnobMode;
import io.numaspark.api.v1alpha1.MemoryPolicySpec;
import io.numaspark.api.v1alpha1.PrefetchSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.WantedKnobs;
import io.numaspark.api.v1alpha1.WantedKnobs.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Translates what a profile says of prefetchers and memory policy into the wishes that the agents
 * of its nodes read.
 *
 * <p>Limit: whether a processor has the knob is for its agent to find out.
 */
public final class KnobWishes {
  private static final String UNMANAGED = "Unmanaged";

  private final Map<String, String> settings = new TreeMap<>();
  private final List<String> enforced = new ArrayList<>();

  private KnobWishes() {}

  /**
   * The wishes of a profile for each of its nodes; empty if every knob is unmanaged.
   *
   * @param profile its name
   */
  public static Optional<WantedKnobs> of(String profile, SparkNodeProfileSpec spec) {
    KnobWishes wishes = new KnobWishes();
    PrefetchSpec prefetch = spec.prefetch();
    if (prefetch != null) {
      wishes.addAll(prefetch);
    }
    if (spec.memory() != null) {
      wishes.addAll(spec.memory());
    }
    if (wishes.settings.isEmpty()) {
      return Optional.empty();
    }
    Scope scope = prefetch == null ? null : prefetch.scope();
    return Optional.of(
        new WantedKnobs(
            profile,
            Objects.requireNonNullElse(scope, Scope.Node),
            wishes.settings,
            List.copyOf(wishes.enforced)));
  }

  private void addAll(PrefetchSpec prefetch) {
    KnobMode mode = prefetch.mode();
    add("prefetch.l1NextLine", prefetch.l1NextLine(), mode);
    add("prefetch.l1Stride", prefetch.l1Stride(), mode);
    add("prefetch.l1Region", prefetch.l1Region(), mode);
    add("prefetch.l1NextPage", prefetch.l1NextPage(), mode);
    add("prefetch.l2Stream", prefetch.l2Stream(), mode);
    add("prefetch.l2AdjacentLine", prefetch.l2AdjacentLine(), mode);
    add("prefetch.l2AdaptiveMultipath", prefetch.l2AdaptiveMultipath(), mode);
    add("prefetch.llcPage", prefetch.llcPage(), mode);
    add("prefetch.arrayOfPointers", prefetch.arrayOfPointers(), mode);
    add("prefetch.llcStream", prefetch.llcStream(), mode);
  }

  private void addAll(MemoryPolicySpec memory) {
    KnobMode mode = memory.mode();
    add("memory.transparentHugePages", memory.transparentHugePages(), mode);
    add("memory.numaBalancing", memory.numaBalancing(), mode);
    add("memory.zoneReclaim", memory.zoneReclaim(), mode);
    add("memory.swappiness", memory.swappiness(), mode);
  }

  private void add(String knob, Object wanted, KnobMode mode) {
    if (wanted == null || UNMANAGED.equals(wanted.toString())) {
      return;
    }
    settings.put(knob, wanted.toString());
    if (mode == KnobMode.Enforce) {
      enforced.add(knob);
    }
  }
}

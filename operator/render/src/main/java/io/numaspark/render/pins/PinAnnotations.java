package io.numaspark.render.pins;

import io.numaspark.render.application.ExecutorRequest.Pinned;
import io.numaspark.render.text.Labels;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the pod of a pinned executor says to the pinner of its node.
 *
 * <p>The pod requests more slots of the scheduler than these where several in one NUMA node are
 * sure only then. Limit: kubelets that pin do not read it.
 */
public final class PinAnnotations {
  private PinAnnotations() {}

  /** The annotations, by name. */
  public static SortedMap<String, String> of(Pinned pinned) {
    SortedMap<String, String> annotations = new TreeMap<>();
    annotations.put(Labels.PIN, pinned.profile());
    annotations.put(Labels.PIN_SLOTS, String.valueOf(pinned.width()));
    if (pinned.cpus().cpus() < pinned.widthCpus()) {
      annotations.put(Labels.PIN_CPUS, String.valueOf(pinned.cpus().cpus()));
    }
    return annotations;
  }
}

package io.numaspark.render.fleet;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What is known of the nodes of all profiles at this moment. */
public interface Fleet {

  /**
   * Slots of a node for the one profile that has it.
   *
   * @param planned slots of the empty node
   * @param used slots that pods on the node request
   * @param free slots that executors can still take
   * @param withheld free slots that are kept back for now
   */
  record SlotUse(int planned, int used, int free, int withheld) {

    /** In a few words. */
    String text() {
      return "%d of %d slots used, %d free%s"
          .formatted(used, planned, free, withheld == 0 ? "" : ", " + withheld + " withheld");
    }
  }

  /** The plans of all profiles by name, the oldest profile first. */
  Map<String, ProfilePlan> plans();

  /** All applications. */
  Stream<SparkApplication> applications();

  /** What the agent of a node says; empty if it has none. */
  Optional<SparkNodeTopologyStatus> agent(String node);

  /** The slots of a node; empty if it has none. */
  Optional<SlotUse> slots(String node);
}

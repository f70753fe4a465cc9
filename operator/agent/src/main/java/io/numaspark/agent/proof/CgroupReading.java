package io.numaspark.agent.proof;

import java.util.List;

/** What a walk through the node's cgroups found. */
public sealed interface CgroupReading {
  /** Every container of every pod, sorted by pod UID and container id. */
  record Containers(List<KernelContainer> all) implements CgroupReading {}

  /**
   * Nothing could be read.
   *
   * @param reason one word for a condition
   * @param message why, and what to do about it
   */
  record Unavailable(String reason, String message) implements CgroupReading {
    Unavailable(KernelReason reason, String message) {
      this(reason.displayName(), message);
    }
  }
}

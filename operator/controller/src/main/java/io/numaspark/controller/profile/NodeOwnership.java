package io.numaspark.controller.profile;

import io.fabric8.kubernetes.api.model.Node;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.observe.NodeSelector;
import io.numaspark.render.profile.ProfilePlanner;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which profile has a node: the oldest of those that select it. */
public final class NodeOwnership {
  private NodeOwnership() {}

  /** The profile that has the node, if one selects it. */
  public static Optional<SparkNodeProfile> owner(Stream<SparkNodeProfile> profiles, Node node) {
    return profiles
        .filter(profile -> !profile.isMarkedForDeletion())
        .sorted(ProfilePlanner.OLDEST_FIRST)
        .filter(profile -> claim(profile).test(node))
        .findFirst();
  }

  /**
   * What a profile selects.
   *
   * @throws IllegalArgumentException naming the field, if its selector is none
   */
  static Predicate<Node> selects(SparkNodeProfile profile) {
    NodeSelector selector = new NodeSelector(profile.getSpec().nodeSelector());
    return node -> selector.matches(node.getMetadata().getLabels());
  }

  /** A profile with a bad selector claims nothing; its own status says so. */
  static Predicate<Node> claim(SparkNodeProfile profile) {
    try {
      return selects(profile);
    } catch (IllegalArgumentException e) {
      return node -> false;
    }
  }
}

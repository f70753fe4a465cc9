package io.numaspark.render.executors;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTermBuilder;
import io.numaspark.api.v1alpha1.ExecutorSpec.Placement;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.ApplicationIdentity;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.OwnedMetadata;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.application.Request;
import io.numaspark.render.text.Labels;
import java.util.List;

/**
 * Whether executors fill a node before the next (spec.executor.placement), as preferences that the
 * kube-scheduler scores; neither keeps an executor from running.
 *
 * <p>Packed is a preferred pod affinity of weight 100, the largest there is, on
 * kubernetes.io/hostname. The plugin InterPodAffinity sums the weights of the executors on each
 * node and scales the sums to 0 for the least and 100 for the most (NormalizeScore); its default
 * weight of 2 makes that 200 points. Against it stand the differences in NodeResourcesFit
 * (LeastAllocated) and NodeResourcesBalancedAllocation, at most 100 points each with their default
 * weights of 1, so the node with most executors of the application is taken as long as one fits.
 *
 * <p>Spread is a topology spread constraint on the same key with maxSkew 1 and ScheduleAnyway: the
 * plugin PodTopologySpread (default weight 2) gives most points to the node with the fewest
 * executors of the application.
 *
 * <p>Limit: other schedulers weigh as they like, and the default plugins' weights can be changed;
 * YuniKorn takes the order of nodes from its own policy.
 */
public final class ExecutorPlacement implements Concern {
  private static final String HOSTNAME = "kubernetes.io/hostname";
  private static final int LARGEST_WEIGHT = 100;

  @Override
  public Contribution contribution(Request request) {
    return Contribution.NONE.withExecutor(of(request.spec(), request.identity()));
  }

  /** With a profile Packed unless the application says otherwise, for shuffles stay on the node. */
  private static PodAdditions of(SparkApplicationSpec spec, ApplicationIdentity identity) {
    Placement placement = spec.executor().placement();
    if (placement == null) {
      return spec.nodeProfile() == null ? PodAdditions.NONE : packed(identity);
    }
    return switch (placement) {
      case Packed -> packed(identity);
      case Spread -> spread(identity);
    };
  }

  private static PodAdditions packed(ApplicationIdentity identity) {
    return PodAdditions.placed(
        List.of(
            new WeightedPodAffinityTermBuilder()
                .withWeight(LARGEST_WEIGHT)
                .withNewPodAffinityTerm()
                .withTopologyKey(HOSTNAME)
                .withLabelSelector(executors(identity))
                .endPodAffinityTerm()
                .build()),
        List.of());
  }

  private static PodAdditions spread(ApplicationIdentity identity) {
    return PodAdditions.placed(
        List.of(),
        List.of(
            new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey(HOSTNAME)
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withLabelSelector(executors(identity))
                .build()));
  }

  private static LabelSelector executors(ApplicationIdentity identity) {
    return new LabelSelectorBuilder()
        .withMatchLabels(OwnedMetadata.selector(identity, Labels.ROLE_EXECUTOR))
        .build();
  }
}

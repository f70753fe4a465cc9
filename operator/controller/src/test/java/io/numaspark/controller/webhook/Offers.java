package io.numaspark.controller.webhook;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.controller.metrics.PlanMetrics;
import io.numaspark.controller.profile.OfferPlanning;
import io.numaspark.controller.profile.ProfilePlanning;
import io.numaspark.controller.store.PlanStore;
import io.numaspark.controller.store.SlotBoard;
import io.numaspark.render.inject.PinningOffer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Profiles on one dual-socket node, as the webhook plans them. */
final class Offers {
  final PlanStore plans = new PlanStore();
  final List<Node> nodes = new ArrayList<>();
  private final OfferPlanning planning =
      new OfferPlanning(
          new ProfilePlanning(
              plans,
              new SlotBoard(),
              new PlanMetrics(new PrometheusRegistry(), plans::plans),
              false,
              selector -> nodes.stream().filter(selector).toList(),
              name -> Optional.of(Samples.dualSocket(name))),
          plans);

  Offers() {
    nodes.add(
        new NodeBuilder()
            .withNewMetadata()
            .withName("numa-0")
            .addToLabels("pool", "spark")
            .endMetadata()
            .build());
  }

  Map<String, PinningOffer> of(SparkNodeProfile... profiles) {
    return planning.offers(List.of(profiles), Instant.EPOCH);
  }

  static SparkNodeProfile profile(String name, String selector) {
    return Serialization.unmarshal(
        """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkNodeProfile
        metadata: {name: %s, uid: u-%s, creationTimestamp: '2026-01-01T00:00:00Z'}
        spec: {nodeSelector: %s, executor: {coresPerExecutor: {preferred: 3}}}
        """
            .formatted(name, name, selector),
        SparkNodeProfile.class);
  }
}

package io.numaspark.render.inject;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.planner.plan.PlanResult.Plan;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.fixture.Specs;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.profile.ProfilePlanner.ProfilePlan;

/** Objects of others, as the API server sends them to a webhook. */
final class Trees {
  static final LabelSelector NODES =
      new LabelSelectorBuilder().addToMatchLabels("example.com/pool", "spark").build();

  private static final YAMLMapper YAML = new YAMLMapper();

  private Trees() {}

  static ObjectNode tree(String yaml) {
    try {
      return (ObjectNode) YAML.readTree(yaml);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** 2 x 7 cores, cut into slots of 3 cores or 6 CPUs and about 7 GiB. */
  static ProfileContext context() {
    return Specs.context(
        Specs.profile(
            "executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}",
            "smt: {}",
            "tolerations: [{key: example.com/spark, operator: Exists}]"),
        Specs.node("a", 7));
  }

  /** The same node with a kubelet that pins nothing, so that its container runtime does. */
  static ProfileContext byRuntime() {
    SparkNodeProfileSpec profile =
        Specs.profile(
            "executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}", "pinning: {by: Runtime}");
    ProfilePlan plan =
        ProfilePlanner.plan(
            profile, Specs.matched(Specs.node("a", 7, "{cpuManagerPolicy: none}")), true);
    return ProfileContext.onNodes("test", profile, plan.policy(), (Plan) plan.result());
  }

  static PinningOffer offer() {
    return new PinningOffer.Usable(new Injection(context(), NODES, true));
  }
}

package io.numaspark.render.shuffle;

import io.numaspark.api.v1alpha1.ShuffleSpec.Sharing;
import io.numaspark.api.v1alpha1.ShuffleSpec.Storage;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.RefusalReason;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.ShuffleSize;
import java.util.Optional;

/** Whether executors of an application that are on one node read each other's pages in place. */
public final class PageSharing {
  private PageSharing() {}

  /** A namespace that the platform team has not set up for what the application asks. */
  static Optional<Refusal> check(SparkApplicationSpec spec, String namespace, PluginPolicy policy) {
    return asked(spec) == Sharing.Node && !policy.sharedPages().namespaces().contains(namespace)
        ? Optional.of(
            new Refusal(
                RefusalReason.SHARED_PAGES_MISSING,
                "spec.shuffle.sharing: Node needs a volume of the nodes, which namespace "
                    + namespace
                    + " does not have; add the namespace to the Helm value sharedPages.namespaces,"
                    + " or leave sharing out"))
        : Optional.empty();
  }

  /** As asked, else as the namespace is set up. */
  static Sharing of(SparkApplicationSpec spec, String namespace, PluginPolicy policy) {
    if (asked(spec) != null) {
      return asked(spec);
    }
    return policy.sharedPages().namespaces().contains(namespace) ? Sharing.Node : Sharing.Executor;
  }

  private static Sharing asked(SparkApplicationSpec spec) {
    return ShuffleSize.storage(spec) == Storage.Pages ? spec.shuffle().sharing() : null;
  }
}

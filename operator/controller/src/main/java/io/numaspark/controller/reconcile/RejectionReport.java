package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.controller.metrics.OperatorMetrics;
import io.numaspark.controller.reconcile.SlotsReconciler.RejectionListener;
import io.numaspark.controller.slots.Rejection;
import io.numaspark.controller.slots.Withheld;
import io.numaspark.controller.status.Announcement;
import io.numaspark.controller.status.EventReason;
import java.util.List;

/**
 * Tells of rejected executors: each is counted, and the first of each withholding is an event of
 * the node and of the profile. It is told only of this operator's applications.
 */
public final class RejectionReport implements RejectionListener {
  private final OperatorMetrics metrics;
  private final Announcer announcer;

  public RejectionReport(OperatorMetrics metrics, Announcer announcer) {
    this.metrics = metrics;
    this.announcer = announcer;
  }

  @Override
  public void rejected(Rejection rejection, Withheld withheld, List<HasMetadata> objects) {
    metrics.countRejection(rejection.reason(), rejection.profile());
    if (!withheld.since().equals(rejection.at())) {
      return;
    }
    String note =
        "the kubelet of %s rejected an executor of %s/%s with %s (%s); the node's free slots of profile %s are withheld until %s"
            .formatted(
                rejection.node(),
                rejection.namespace(),
                rejection.application(),
                rejection.reason(),
                rejection.message(),
                rejection.profile(),
                withheld.until());
    objects.forEach(
        object ->
            announcer.tell(object, Announcement.warning(EventReason.EXECUTOR_REJECTED, note)));
  }
}

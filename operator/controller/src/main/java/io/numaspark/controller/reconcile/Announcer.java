package io.numaspark.controller.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.controller.apply.EventRecorder;
import io.numaspark.controller.status.Announcement;
import java.util.List;

/** Makes announcements Kubernetes events of the objects that they are about. */
public final class Announcer {
  private final EventRecorder events;

  public Announcer(EventRecorder events) {
    this.events = events;
  }

  void tell(HasMetadata object, Announcement announcement) {
    events.record(object, announcement.isWarning(), announcement.reason(), announcement.note());
  }

  void tell(HasMetadata object, List<Announcement> announcements) {
    announcements.forEach(announcement -> tell(object, announcement));
  }
}

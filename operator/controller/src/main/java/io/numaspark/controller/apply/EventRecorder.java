package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.controller.status.Announcement;
import io.numaspark.render.text.ForeignText;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Kubernetes events beside the reconciliations: what it cannot write is lost.
 *
 * <p>Limit: the same event of an object is written once in ten minutes, and at most {@value
 * #QUEUED} wait; more are dropped.
 */
public final class EventRecorder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
  private static final int QUEUED = 10_000;
  private static final int REMEMBERED = 10_000;
  private static final Duration ONCE_IN = Duration.ofMinutes(10);

  /** Kubernetes' limit for the note of an event, in bytes (ValidateEventCreate). */
  private static final int NOTE_LIMIT = 1024;

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  private final KubernetesClient client;
  private final Clock clock;
  private final String instance;
  private final Map<String, Instant> written =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Instant> eldest) {
          return size() > REMEMBERED;
        }
      };
  private final ThreadPoolExecutor writer =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUED),
          task -> {
            Thread thread = new Thread(task, "events");
            thread.setDaemon(true);
            return thread;
          },
          new DiscardPolicy());

  /**
   * A recorder.
   *
   * @param instance name of this operator's pod
   */
  public EventRecorder(KubernetesClient client, Clock clock, String instance) {
    this.client = client;
    this.clock = clock;
    this.instance = instance;
  }

  /** Records announcements as events of the object that they are about; returns at once. */
  public void record(HasMetadata object, List<Announcement> announcements) {
    announcements.forEach(announcement -> record(object, announcement));
  }

  /** Records an announcement as an event of the object that it is about; returns at once. */
  public void record(HasMetadata object, Announcement announcement) {
    record(object, announcement.isWarning(), announcement.reason(), announcement.note());
  }

  void record(HasMetadata object, boolean isWarning, String reason, String text) {
    String note = ForeignText.bytes(text, NOTE_LIMIT);
    Instant now = clock.instant();
    if (!isNew(object.getMetadata().getUid() + "/" + reason + "/" + note, now)) {
      return;
    }
    Event event = event(object, isWarning ? "Warning" : "Normal", reason, note, now);
    writer.execute(() -> write(event));
  }

  private synchronized boolean isNew(String key, Instant now) {
    Instant last = written.get(key);
    if (last != null && now.isBefore(last.plus(ONCE_IN))) {
      return false;
    }
    written.remove(key);
    written.put(key, now);
    // In the order of their times, unless a clock was set: the first ones are the oldest.
    Iterator<Instant> times = written.values().iterator();
    while (now.isAfter(times.next().plus(ONCE_IN))) {
      times.remove();
    }
    return true;
  }

  /** Events that would not be written again now. */
  synchronized int remembered() {
    return written.size();
  }

  private Event event(HasMetadata object, String type, String reason, String note, Instant now) {
    String name = object.getMetadata().getName();
    // As the events of Kubernetes' own components: the time in hexadecimal nanoseconds.
    long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
    return new EventBuilder()
        .withNewMetadata()
        .withName(
            name + "." + Long.toHexString(nanos) + Integer.toHexString(reason.hashCode() & 0xff))
        // Kubernetes' own components put events of cluster-scoped objects there too.
        .withNamespace(Objects.requireNonNullElse(object.getMetadata().getNamespace(), "default"))
        .endMetadata()
        .withEventTime(new MicroTime(MICROSECONDS.format(now)))
        .withReportingController("numaspark.io/operator")
        .withReportingInstance(instance)
        .withAction(reason)
        .withReason(reason)
        .withType(type)
        .withNote(note)
        .withRegarding(
            new ObjectReferenceBuilder()
                .withApiVersion(object.getApiVersion())
                .withKind(object.getKind())
                .withNamespace(object.getMetadata().getNamespace())
                .withName(name)
                .withUid(object.getMetadata().getUid())
                .build())
        .build();
  }

  private void write(Event event) {
    try {
      client.resource(event).create();
    } catch (KubernetesClientException | IllegalStateException e) {
      // The second is what a client says that was closed.
      LOG.debug("Event {} was not written", event.getMetadata().getName(), e);
    }
  }

  /** Lets go of what still waits. */
  @Override
  public void close() {
    writer.shutdownNow();
  }
}

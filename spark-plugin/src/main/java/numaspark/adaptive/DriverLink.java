package numaspark.adaptive;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import numaspark.adaptive.Messages.StageAnswer;
import numaspark.adaptive.Messages.StageQuestion;
import org.apache.spark.api.plugin.PluginContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Talks with the driver on a thread of its own, never on a task's. */
final class DriverLink {
  private static final Logger LOG = LoggerFactory.getLogger(DriverLink.class);

  /** How long tasks may be held back for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The driver's listener hears of a stage a moment after its first tasks were sent. */
  private static final long AGAIN_MILLIS = 10;

  private final PluginContext context;
  private final ScheduledExecutorService thread;

  DriverLink(PluginContext context, ScheduledExecutorService thread) {
    this.context = context;
    this.thread = thread;
  }

  /** Asks until the driver knows the stage; empty when it does not in time. */
  void ask(StageQuestion question, Consumer<Optional<StageAnswer>> then) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    thread.execute(() -> ask(question, then, until));
  }

  private void ask(StageQuestion question, Consumer<Optional<StageAnswer>> then, long until) {
    Optional<StageAnswer> answer = Optional.empty();
    try {
      answer =
          context.ask(question) instanceof StageAnswer told ? Optional.of(told) : Optional.empty();
    } catch (Exception e) {
      LOG.warn("The driver did not answer about stage {}: {}", question.stage(), e.toString());
    }
    if (answer.isPresent() && !answer.get().known()) {
      if (System.nanoTime() < until) {
        thread.schedule(() -> ask(question, then, until), AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        return;
      }
      answer = Optional.empty();
    }
    then.accept(answer);
  }

  void send(Serializable message) {
    thread.execute(
        () -> {
          try {
            context.send(message);
          } catch (Exception e) {
            LOG.debug("The driver did not take {}: {}", message, e.toString());
          }
        });
  }
}

package numaspark.adaptive;

import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import org.apache.spark.TaskState;
import org.apache.spark.scheduler.SchedulerBackend;
import org.apache.spark.scheduler.cluster.CoarseGrainedSchedulerBackend;
import org.apache.spark.util.SerializableBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells Spark's scheduler that an executor has fewer free cores than it counted, or more again.
 *
 * <p>The scheduler's own count may be touched by the thread of its endpoint alone. So the endpoint
 * gets what an executor sends when a task ends: a status update, which adds the cores of the task
 * to the free ones and makes offers. It is for no task ({@code -1}), and its cores are negative to
 * withhold. Read in the classes of Spark 3.5.9, 4.1.4, 4.2.0 and 4.3.0: a negative number of free
 * cores only leads to no offer. What differs: cores are {@code int} up to 4.2, {@code
 * scala.math.BigDecimal} from 4.3; the map of resources has other values in 3.5.
 */
final class SchedulerSlots {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerSlots.class);
  private static final String MESSAGE =
      "org.apache.spark.scheduler.cluster.CoarseGrainedClusterMessages$StatusUpdate";

  private final CoarseGrainedSchedulerBackend backend;
  private final Constructor<?> update;
  private final Object noResources;

  private SchedulerSlots(
      CoarseGrainedSchedulerBackend backend, Constructor<?> update, Object noResources) {
    this.backend = backend;
    this.update = update;
    this.noResources = noResources;
  }

  /** Null where this Spark or its scheduler offers no way; the log says why. */
  static SchedulerSlots of(SchedulerBackend backend) {
    if (!(backend instanceof CoarseGrainedSchedulerBackend coarse)) {
      LOG.info(
          "Adaptive executors: {} keeps no slots by executor; the gate alone limits tasks",
          backend == null ? "no backend" : backend.getClass().getSimpleName());
      return null;
    }
    try {
      Constructor<?>[] made = Class.forName(MESSAGE).getConstructors();
      Object maps = Class.forName("scala.collection.immutable.Map$").getField("MODULE$").get(null);
      Object empty = maps.getClass().getMethod("empty").invoke(maps);
      SchedulerSlots slots = new SchedulerSlots(coarse, made[0], empty);
      slots.message("none", 0);
      QuietUpdates.install();
      return slots;
    } catch (ReflectiveOperationException | IllegalArgumentException | LinkageError e) {
      LOG.warn(
          "Adaptive executors: this Spark's scheduler cannot be informed; the gate alone limits tasks",
          e);
      return null;
    }
  }

  /**
   * @param cores free cores to add; negative to withhold
   */
  void change(String executor, int cores) {
    try {
      backend.driverEndpoint().send(message(executor, cores));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The message was made before", e);
    }
  }

  private Object message(String executor, int cores) throws ReflectiveOperationException {
    Object taskCpus =
        update.getParameterTypes()[4] == int.class
            ? cores
            : new scala.math.BigDecimal(BigDecimal.valueOf(cores));
    return update.newInstance(
        executor,
        QuietUpdates.NO_TASK,
        TaskState.FINISHED(),
        new SerializableBuffer(ByteBuffer.allocate(0)),
        taskCpus,
        noResources);
  }
}

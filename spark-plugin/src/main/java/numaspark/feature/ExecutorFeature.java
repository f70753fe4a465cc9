package numaspark.feature;

import org.apache.spark.TaskContext;

/** One part of the plugin inside an executor; the hooks for tasks run on the thread of the task. */
public interface ExecutorFeature extends AutoCloseable {

  /**
   * Before the task's own code. May block, as long as it watches {@link
   * TaskContext#isInterrupted()}.
   */
  default void taskStarts(TaskContext task) {}

  /** After the task's own code, on the same thread; called once for each {@link #taskStarts}. */
  default void taskEnds(TaskContext task, boolean succeeded) {}

  /** When the executor shuts down. */
  @Override
  default void close() {}
}

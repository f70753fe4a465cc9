package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.numaspark.api.v1alpha1.SparkApplication;
import java.util.Optional;

/** Where applications queue for quota that somebody else gives: Kueue, or nobody. */
public interface WorkloadQueue {
  /** A cluster without Kueue, or an operator that does not use it. */
  WorkloadQueue NONE = new Nobody();

  /** Whether an application is to queue before it starts. */
  boolean isFor(SparkApplication application);

  /**
   * Puts a Workload into the queue, if it is not there, and says why the application may not start
   * yet.
   *
   * @return why it waits; empty if it may start
   */
  Optional<String> waitsFor(SparkApplication application, GenericKubernetesResource workload);

  /** Whether an application that was started has to stop, and give its quota back. */
  boolean isEvicted(SparkApplication application);

  /** Gives the quota of an application back that has no pods. */
  void leave(SparkApplication application);

  /** Takes an application out of the queue that is not to run for now. */
  void withdraw(SparkApplication application);

  /** The application has ended, and will not start again as it is. */
  void finish(SparkApplication application, boolean succeeded);

  /** Nobody queues. */
  final class Nobody implements WorkloadQueue {
    private Nobody() {}

    @Override
    public boolean isFor(SparkApplication application) {
      return false;
    }

    @Override
    public Optional<String> waitsFor(
        SparkApplication application, GenericKubernetesResource workload) {
      return Optional.empty();
    }

    @Override
    public boolean isEvicted(SparkApplication application) {
      return false;
    }

    @Override
    public void leave(SparkApplication application) {}

    @Override
    public void withdraw(SparkApplication application) {}

    @Override
    public void finish(SparkApplication application, boolean succeeded) {}
  }
}

package io.numaspark.planner.capacity;

import java.util.List;

/** How many slots an executor of another shape than the profile's has to ask for. */
public sealed interface ExactFit {

  /**
   * It fits.
   *
   * @param slotsPerExecutor slots that its pod requests
   * @param width slots of one NUMA node that it takes, at most as many as it requests
   * @param classes executors of each class of the profile, in the order of the plan
   * @param why the arithmetic, as a sentence
   */
  record Fits(int slotsPerExecutor, int width, List<ClassExecutors> classes, String why)
      implements ExactFit {
    public Fits {
      classes = List.copyOf(classes);
    }
  }

  /**
   * No node can be asked for it.
   *
   * @param reason as a sentence
   * @param remedy what to change
   */
  record DoesNotFit(String reason, String remedy) implements ExactFit {}

  /**
   * Executors of one node of a class.
   *
   * @param executors how many run at once on an otherwise empty node; 0 where none can
   */
  record ClassExecutors(String nodeClass, int executors) {}
}

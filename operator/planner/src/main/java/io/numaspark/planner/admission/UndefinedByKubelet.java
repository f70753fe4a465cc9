package io.numaspark.planner.admission;

/** The kubelet would crash or never answer here, so that there is nothing to predict. */
final class UndefinedByKubelet extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UndefinedByKubelet(String message) {
    super(message);
  }
}

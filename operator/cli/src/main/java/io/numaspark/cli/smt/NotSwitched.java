package io.numaspark.cli.smt;

/**
 * SMT was not switched, or not to the end; the message says how the node is left and what to do.
 */
final class NotSwitched extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NotSwitched(String message) {
    super(message);
  }
}

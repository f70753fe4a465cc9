package io.numaspark.controller.status;

/**
 * What the exit code of a Spark process means (Spark's SparkExitCode and ExecutorExitCode; above
 * 128 it is a signal).
 */
final class ExitCode {
  /** The driver gave up because too many executors failed (spark.executor.maxNumFailures). */
  static final int TOO_MANY_EXECUTOR_FAILURES = 11;

  private ExitCode() {}

  /** In brackets after the number; empty if it says nothing. */
  static String meaning(int code) {
    String meaning =
        switch (code) {
          case TOO_MANY_EXECUTOR_FAILURES ->
              "too many executors failed: spark.executor.maxNumFailures";
          case 50, 51 -> "uncaught exception";
          case 52 -> "out of memory: the JVM's heap was too small";
          case 53 -> "no local directory could be made on its disk";
          case 56 -> "its heartbeats did not reach the driver";
          case 57 -> "it was killed because a cancelled task did not end";
          case 58 -> "its block manager could not register again";
          case 101 ->
              "the main class could not be loaded; check spec.mainClass and"
                  + " spec.mainApplicationFile";
          case 126, 127 -> "the command in the image could not be run";
          case 134 -> "SIGABRT: the JVM crashed";
          case 137 -> "SIGKILL: it was killed, often by the kernel for lack of memory";
          case 139 -> "SIGSEGV: the JVM crashed";
          case 143 -> "SIGTERM: it was asked to stop";
          default -> "";
        };
    return meaning.isEmpty() ? "" : " (" + meaning + ")";
  }
}

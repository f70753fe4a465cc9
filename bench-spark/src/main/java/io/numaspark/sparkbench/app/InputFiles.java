package io.numaspark.sparkbench.app;

/** How the generated inputs of the adaptive suites are cut into files. */
final class InputFiles {
  /**
   * A file is a task: 8 waves on 16 slots, as 120 GiB in blocks of 128 MiB were 7.5 waves on the
   * 128 slots of seed 004.
   */
  static final int COUNT = 128;

  private InputFiles() {}
}

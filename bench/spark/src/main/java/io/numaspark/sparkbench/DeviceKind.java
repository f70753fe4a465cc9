package io.numaspark.sparkbench;

/** What a suite's input, output and shuffle files are on. */
enum DeviceKind {
  /** The machine's own disk. */
  NONE,
  /** Emulated: one head that seeks. */
  HDD,
  /** Emulated: a latency and a bus. */
  SSD
}

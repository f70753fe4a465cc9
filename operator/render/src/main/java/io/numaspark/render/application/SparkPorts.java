package io.numaspark.render.application;

/** Ports at which a driver listens for its executors; Spark's defaults in a cluster. */
final class SparkPorts {
  static final int DRIVER = 7078;
  static final int BLOCK_MANAGER = 7079;

  private SparkPorts() {}
}

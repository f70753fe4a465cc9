package io.numaspark.render.application;

/** Ports at which a driver listens for its executors; Spark's defaults in a cluster. */
public final class SparkPorts {
  public static final int DRIVER = 7078;
  public static final int BLOCK_MANAGER = 7079;

  private SparkPorts() {}
}

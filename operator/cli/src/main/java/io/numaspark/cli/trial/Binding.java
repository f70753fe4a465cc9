package io.numaspark.cli.trial;

/** What is done with an executor's process before its JVM starts. */
enum Binding {
  /** Nothing: the kernel chooses. */
  FREE("not bound"),
  /** CPUs of its share; memory is where its threads touch it first. */
  CPUS("bound to CPUs"),
  /** CPUs and memory of its share. */
  CPUS_AND_MEMORY("bound to CPUs and memory"),
  /** CPUs of its share, memory of the opposite NUMA node: on purpose the worst. */
  REMOTE_MEMORY("bound to CPUs, and to memory of the opposite NUMA node");

  private final String words;

  Binding(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  boolean setsCpus() {
    return this != FREE;
  }

  boolean setsMemory() {
    return this == CPUS_AND_MEMORY || this == REMOTE_MEMORY;
  }
}

package io.numaspark.sparkbench;

/**
 * What all variants of a run share.
 *
 * @param cores of the machine that executors may count on
 * @param slots tasks at a time on an emulated device, where tasks mostly wait
 * @param memoryMebibytes heap of all executors together
 * @param scale factor of TPC-H
 * @param slowdown factor on all times of an emulated device
 * @param quick small input and fewer cases
 */
record Shape(
    int cores, int slots, int memoryMebibytes, double scale, double slowdown, boolean quick) {

  /**
   * Tasks of a stage on an emulated device: 8 waves on the slots, as 120 GiB in blocks of 128 MiB
   * were 7.5 on the 128 slots of Omranian Khorasani et al. 2019; exploring takes a number of tasks,
   * so its share depends on how many there are. Half of that where the input is small, because map
   * outputs that are cut into blocks much smaller than the read-ahead leave a disk nothing but
   * seeks.
   */
  int tasksOnDevice() {
    return slots * (quick ? 4 : 8);
  }
}

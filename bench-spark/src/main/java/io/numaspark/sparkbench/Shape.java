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
    int cores, int slots, int memoryMebibytes, double scale, double slowdown, boolean quick) {}

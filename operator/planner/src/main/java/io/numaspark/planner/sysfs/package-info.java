/** Reads the hardware of a machine from its sysfs and procfs, or from a copy of them. */
package io.numaspark.planner.sysfs;

/**
 * Pure functions: custom resources to planner inputs, plans to Spark properties, and both to the
 * manifests of a driver.
 *
 * <p>No client, no clock, no log: the same input gives the same bytes. The controller and the
 * command line share it.
 */
package io.numaspark.render;

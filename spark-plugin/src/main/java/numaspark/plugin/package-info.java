/**
 * What {@code spark.plugins} names. It starts the features in driver and executors, and no other
 * package depends on it.
 */
package numaspark.plugin;

/**
 * What a feature of the plugin is and what it is given: the hooks of driver and executor, the
 * plugin's settings, and its threads. The package depends on Spark only.
 */
package numaspark.feature;

/** numaspark's Spark plugin in driver and executors. */
package io.numaspark.render.plugin;

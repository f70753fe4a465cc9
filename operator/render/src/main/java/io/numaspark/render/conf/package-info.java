/**
 * Spark properties as values: keys, units, lists, where each value comes from, and which one wins.
 * Pure.
 */
package io.numaspark.render.conf;

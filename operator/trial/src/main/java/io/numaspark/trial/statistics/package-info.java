/** Intervals and tests for times that were measured in rounds. No clock, no files. */
package io.numaspark.trial.statistics;

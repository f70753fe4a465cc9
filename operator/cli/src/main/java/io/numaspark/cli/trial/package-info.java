/**
 * {@code numaspark trial}: runs a user's Spark application in variants on this machine. What to run
 * next and what the times show is decided in {@code io.numaspark.trial}.
 */
package io.numaspark.cli.trial;

/**
 * What to run next, decided from the runs so far: pure, so that a trial that was killed continues
 * from its journal.
 */
package io.numaspark.trial.engine;

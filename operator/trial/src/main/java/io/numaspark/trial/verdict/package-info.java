/** What the runs of a trial show, and what they do not. */
package io.numaspark.trial.verdict;

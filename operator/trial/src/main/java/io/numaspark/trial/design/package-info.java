/** What a trial measures: arms, rounds, order, margins. */
package io.numaspark.trial.design;

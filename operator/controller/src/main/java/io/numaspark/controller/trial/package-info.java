/** The steps of SparkTrials: who may measure, what is run next, what is written. */
package io.numaspark.controller.trial;

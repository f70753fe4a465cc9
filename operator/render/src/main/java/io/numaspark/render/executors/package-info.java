/** The executors: their pods, placement, JVM options, retries and tuning. */
package io.numaspark.render.executors;

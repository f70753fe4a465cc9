/** Sizes and options of an executor's JVM, from measured limits. */
package io.numaspark.planner.jvm;

package io.numaspark.planner.jvm;

/**
 * A Spark property that suits an application, with the reason for it.
 *
 * @param why what it is for and where that is known from, one line
 */
public record SparkProperty(String key, String value, String why) {}

package io.numaspark.planner.jvm;

/**
 * An option of an executor's JVM with the reason for it.
 *
 * @param text as the JVM takes it
 * @param why what it is for and where that is known from, one line
 */
public record JvmOption(String text, String why) {}

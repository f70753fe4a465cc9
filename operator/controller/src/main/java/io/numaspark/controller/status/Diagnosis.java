package io.numaspark.controller.status;

/**
 * What happened, for a condition and for people.
 *
 * @param reason CamelCase
 * @param message what is wrong and the remedy
 */
public record Diagnosis(String reason, String message) {}

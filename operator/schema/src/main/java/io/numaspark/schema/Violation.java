package io.numaspark.schema;

/**
 * A part of an object that the API server would refuse.
 *
 * @param field path of the field, for example {@code spec.numaNodes[0].id}
 * @param message the API server's text, which begins with a field
 */
public record Violation(String field, String message) {}

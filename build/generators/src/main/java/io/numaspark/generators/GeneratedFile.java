package io.numaspark.generators;

/**
 * A committed file that no person writes.
 *
 * @param path from the root of the repository
 * @param text its whole content
 */
public record GeneratedFile(String path, String text) {}

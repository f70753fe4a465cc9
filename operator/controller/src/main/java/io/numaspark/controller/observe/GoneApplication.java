package io.numaspark.controller.observe;

import java.util.Optional;

/**
 * An application that does not exist any more.
 *
 * @param sparkAppId Spark's id of its last attempt, or of one that has a pod left
 */
public record GoneApplication(String namespace, String name, Optional<String> sparkAppId) {}

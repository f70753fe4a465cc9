package io.numaspark.controller.config;

/**
 * The lease that replicas of the operator share.
 *
 * @param namespace of the lease
 * @param name of the lease
 * @param identity of this replica, different for each
 */
public record Lease(String namespace, String name, String identity) {}

package io.numaspark.controller.slots;

import java.time.Instant;

/**
 * An executor that a kubelet refused after the scheduler had placed it.
 *
 * @param podUid of the executor pod; a rejected pod never runs, so that it is rejected once
 * @param profile that the executor's application names
 * @param at when, as the kubelet says
 */
public record Rejection(
    String podUid,
    String namespace,
    String application,
    String node,
    String profile,
    String reason,
    String message,
    Instant at) {}

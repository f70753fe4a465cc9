package io.numaspark.controller.status;

import io.numaspark.api.v1alpha1.StatusReason;

/**
 * Reasons of the condition Ready of a SparkConnect. While its server is not up, it has those of the
 * application.
 */
public enum ConnectReason implements StatusReason {
  SERVER_READY,
  SERVER_STARTING,
  SERVER_NOT_READY,
  SERVER_REFUSED
}

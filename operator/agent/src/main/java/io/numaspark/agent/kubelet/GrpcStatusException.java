package io.numaspark.agent.kubelet;

import java.io.IOException;

/** The server understood the call and answers an error. */
final class GrpcStatusException extends IOException {
  private static final long serialVersionUID = 1;

  /** RPC codes by number, as the gRPC specification lists them. */
  static final String DEADLINE_EXCEEDED = "4";

  static final String RESOURCE_EXHAUSTED = "8";
  static final String UNIMPLEMENTED = "12";
  static final String UNAVAILABLE = "14";

  private final String status;

  GrpcStatusException(String status, String message) {
    super(message == null || message.isBlank() ? "no message" : message);
    this.status = status;
  }

  String status() {
    return status;
  }
}

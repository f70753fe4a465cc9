package io.numaspark.agent.kubelet;

import java.io.IOException;

/**
 * The kubelet did not answer as expected; the message says what was asked, what came, and what to
 * do about it.
 *
 * <p>Limit: it never carries the bearer token or the kubelet's whole answer.
 */
public final class KubeletException extends IOException {
  private static final long serialVersionUID = 1;

  /** Why, in the words that a condition of the node's SparkNodeTopology uses. */
  public enum Reason {
    /** There is nothing at the configured path or port: the feature is off or the path is wrong. */
    NotFound,
    /** The kubelet or the kernel refuses access; it does not go away by itself. */
    Forbidden,
    /** The two sides do not trust each other's certificates. */
    Untrusted,
    /** Nobody listens or the connection broke: most often the kubelet restarts. */
    Unreachable,
    /** No complete answer in time. */
    TimedOut,
    /** An answer that this agent does not understand, or an error that the kubelet reports. */
    BadAnswer
  }

  private final Reason reason;

  KubeletException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  KubeletException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}

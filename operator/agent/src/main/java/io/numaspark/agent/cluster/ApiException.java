package io.numaspark.agent.cluster;

import java.io.IOException;

/** The API server has answered, and refused. */
public final class ApiException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  ApiException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Whether the object or its kind does not exist. */
  public boolean notFound() {
    return status == 404;
  }

  /** Whether somebody else has changed or made the object since it was read. */
  public boolean conflict() {
    return status == 409;
  }

  /** Whether it is the object that the server does not take, and would not take another time. */
  public boolean refusesContent() {
    return status == 400 || status == 413 || status == 422;
  }

  /** Whether a watch has to begin anew, because the server has forgotten where it began. */
  public boolean gone() {
    return status == 410;
  }
}

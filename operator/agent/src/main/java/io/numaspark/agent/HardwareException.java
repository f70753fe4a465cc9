package io.numaspark.agent;

import java.io.IOException;

/** The node's own files could not be read or understood; the message names the file. */
final class HardwareException extends IOException {
  private static final long serialVersionUID = 1L;

  HardwareException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}

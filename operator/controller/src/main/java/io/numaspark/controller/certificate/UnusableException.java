package io.numaspark.controller.certificate;

/** Why something of a Secret cannot be used; the message names its key and never its value. */
final class UnusableException extends Exception {
  private static final long serialVersionUID = 1;

  UnusableException(String message) {
    super(message);
  }
}

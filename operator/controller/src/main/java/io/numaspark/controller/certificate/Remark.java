package io.numaspark.controller.certificate;

import org.slf4j.Logger;

/**
 * A warning that is logged when it changes, however often it is repeated.
 *
 * <p>Limit: for one thread.
 */
final class Remark {
  private final Logger log;
  private String last = "";

  Remark(Logger log) {
    this.log = log;
  }

  void warn(String text) {
    if (!text.equals(last)) {
      log.warn(text);
    }
    last = text;
  }

  /** If it comes again, it is news. */
  void clear() {
    last = "";
  }
}

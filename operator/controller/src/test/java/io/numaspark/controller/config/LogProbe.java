package io.numaspark.controller.config;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** A program that logs a little; {@link LogFormatTest} reads what it has written. */
final class LogProbe {
  private LogProbe() {}

  public static void main(String[] arguments) {
    Logger ours = LoggerFactory.getLogger("io.numaspark.controller.Probe");
    Logger library = LoggerFactory.getLogger("io.fabric8.kubernetes.Probe");
    ours.debug("small");
    ours.info("started");
    library.debug("a library's");
    library.info("a library's");
    MDC.put("resource.namespace", "team-a");
    MDC.put("resource.name", "pi");
    ours.warn("said \"no\"", new IllegalStateException("because"));
  }
}

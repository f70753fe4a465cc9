package io.numaspark.agent;

import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ResourceBundle;

/**
 * Writes each message as one line to the standard error, from INFO upwards.
 *
 * <p>The JDK finds it by META-INF/services. Its own logger formats with the classes for dates and
 * numbers of all countries, which are a tenth of what the agent would load. Limit: {@code {0}} in a
 * message is replaced by the value as it is, without a format.
 */
public final class PlainLog extends System.LoggerFinder {
  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Lines(name);
  }

  private record Lines(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= Level.INFO.getSeverity() && level != Level.OFF;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {
      if (isLoggable(level)) {
        write(level, thrown == null ? message : message + ": " + thrown);
      }
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... values) {
      if (isLoggable(level)) {
        String message = format;
        for (int i = 0; values != null && i < values.length; i++) {
          message = message.replace("{" + i + "}", String.valueOf(values[i]));
        }
        write(level, message);
      }
    }

    private static void write(Level level, String message) {
      System.err.println(
          Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS) + " " + level + " " + message);
    }
  }
}

package io.numaspark.agent;

import io.numaspark.agent.knob.Quoted;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ResourceBundle;

/**
 * Writes each message as one line to the standard error, as text or as a JSON object with the
 * fields of the operator's log.
 *
 * <p>What nodes, pods and servers name things is a part of messages: none of it makes a line of its
 * own. The JDK finds this by META-INF/services. Its own logger formats with the classes for dates
 * and numbers of all countries, which are a tenth of what the agent would load. Limit: {@code {0}}
 * in a message is replaced by the value as it is, without a format.
 */
public final class PlainLog extends System.LoggerFinder {
  private final System.Logger.Level least;
  private final boolean json;

  /** For the JDK: set by NUMASPARK_LOG_LEVEL and NUMASPARK_LOG_FORMAT. */
  public PlainLog() {
    this(System.getenv());
  }

  /** A word that means nothing is as none: the chart's schema refuses it before. */
  PlainLog(Map<String, String> environment) {
    least = level(Objects.requireNonNullElse(environment.get("NUMASPARK_LOG_LEVEL"), "info"));
    json = "json".equals(environment.get("NUMASPARK_LOG_FORMAT"));
  }

  private static System.Logger.Level level(String word) {
    for (System.Logger.Level level : System.Logger.Level.values()) {
      if (word(level).equals(word)) {
        return level;
      }
    }
    return System.Logger.Level.INFO;
  }

  /** As the operator's log says it. */
  private static String word(System.Logger.Level level) {
    return level == System.Logger.Level.WARNING ? "warn" : level.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Lines(name, least, json);
  }

  private record Lines(String name, System.Logger.Level least, boolean json)
      implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= least.getSeverity() && level != Level.OFF;
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

    private void write(Level level, String message) {
      String time = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS).toString();
      String line = Quoted.line(message);
      System.err.println(json ? object(time, level, line) : time + " " + level + " " + line);
    }

    /** By hand: the writer would load the JSON library for nothing else. */
    private String object(String time, Level level, String message) {
      StringBuilder line = new StringBuilder(message.length() + 128);
      line.append("{\"time\":\"").append(time);
      line.append("\",\"level\":\"").append(word(level).toUpperCase(Locale.ROOT));
      line.append("\",\"logger\":\"").append(name);
      line.append("\",\"message\":\"").append(escaped(message));
      return line.append("\"}").toString();
    }

    private static String escaped(String text) {
      StringBuilder escaped = new StringBuilder(text.length() + 16);
      for (char c : text.toCharArray()) {
        if (c == '"' || c == '\\') {
          escaped.append('\\');
        }
        escaped.append(c);
      }
      return escaped.toString();
    }
  }
}

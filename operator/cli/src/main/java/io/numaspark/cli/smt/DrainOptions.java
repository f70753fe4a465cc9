package io.numaspark.cli.smt;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code kubectl drain} that a switch has too. */
final class DrainOptions {
  @Option(
      names = "--delete-emptydir-data",
      description = "Evict pods with emptyDir volumes too; their content is lost.")
  private boolean deleteEmptyDirData;

  @Option(names = "--force", description = "Evict pods too that no controller creates again.")
  private boolean force;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "15m",
      converter = TimeConverter.class,
      description =
          "How long the eviction of pods may take, as 90s, 15m or 2h (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  DrainOptions() {}

  DrainOptions(boolean deleteEmptyDirData, boolean force, Duration timeout) {
    this.deleteEmptyDirData = deleteEmptyDirData;
    this.force = force;
    this.timeout = timeout;
  }

  boolean deletesEmptyDirData() {
    return deleteEmptyDirData;
  }

  boolean isForced() {
    return force;
  }

  Duration timeout() {
    return timeout;
  }

  /** Reads a number with a unit. */
  static final class TimeConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      if (!text.matches("[1-9][0-9]{0,5}[smh]")) {
        throw new TypeConversionException("'" + text + "' is not a time; write 90s, 15m or 2h");
      }
      long number = Long.parseLong(text.substring(0, text.length() - 1));
      return switch (text.charAt(text.length() - 1)) {
        case 's' -> Duration.ofSeconds(number);
        case 'm' -> Duration.ofMinutes(number);
        default -> Duration.ofHours(number);
      };
    }
  }
}

package io.numaspark.sparkbench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the numbers were measured on, in one sentence. */
final class MachineDescription {

  private MachineDescription() {}

  static String description(Path sparkHome) {
    long memoryGibibytes = kilobytes("MemTotal") >> 20;
    return String.format(
        Locale.ROOT,
        "%d CPUs (%s), %d GiB, Linux %s, JDK %s, Spark %s, load average %s",
        Runtime.getRuntime().availableProcessors(),
        processor(),
        memoryGibibytes,
        System.getProperty("os.version"),
        System.getProperty("java.version"),
        sparkVersion(sparkHome),
        load());
  }

  static String load() {
    return read("/proc/loadavg").split(" ")[0];
  }

  static long availableMebibytes() {
    return kilobytes("MemAvailable") >> 10;
  }

  private static String sparkVersion(Path home) {
    Matcher version =
        Pattern.compile("spark-core_[\\d.]+-([\\d.]+)\\.jar")
            .matcher(String.join(" ", names(home.resolve("jars"))));
    return version.find() ? version.group(1) : "of unknown version";
  }

  private static List<String> names(Path folder) {
    String[] names = folder.toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  private static String processor() {
    return read("/proc/cpuinfo")
        .lines()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.substring(line.indexOf(':') + 2))
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }

  private static long kilobytes(String field) {
    return read("/proc/meminfo")
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0L);
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      return "";
    }
  }
}

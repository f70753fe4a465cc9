package io.numaspark.sparkbench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A running Spark: {@code spark-submit} of this version, whose main class takes queries on standard
 * input.
 */
final class SparkProcess implements AutoCloseable {

  private static final String MAIN = "io.numaspark.sparkbench.app.Driver";
  private static final String MARK = "@bench\t";

  private final Process process;
  private final Path log;
  private final BufferedReader answers;
  private final Writer commands;

  private SparkProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.answers = process.inputReader();
    this.commands = process.outputWriter();
  }

  /**
   * @param home folder for its logs and links; made if it is not there
   * @param limit null for none
   */
  static SparkProcess start(Path spark, SparkSettings settings, Path home, MemoryLimit limit)
      throws IOException {
    Path links = linksTo(spark, home.resolve("spark"));
    Path properties = home.resolve("spark.properties");
    Properties file = new Properties();
    file.putAll(settings.properties());
    try (Writer out = Files.newBufferedWriter(properties)) {
      file.store(out, null);
    }
    List<String> command =
        List.of(
            links.resolve("bin/spark-submit").toString(),
            "--master",
            settings.master(),
            "--properties-file",
            properties.toString(),
            "--class",
            MAIN,
            "spark-internal");
    Path log = home.resolve("driver.log");
    ProcessBuilder builder =
        new ProcessBuilder(limit == null ? new ArrayList<>(command) : limit.around(command));
    builder.environment().put("SPARK_HOME", links.toString());
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().remove("SPARK_CONF_DIR");
    builder.redirectError(log.toFile());
    SparkProcess started = new SparkProcess(builder.start(), log);
    started.answer();
    return started;
  }

  /**
   * Spark's local-cluster writes into its own home; these are links to a home that must stay as it
   * is.
   */
  private static Path linksTo(Path spark, Path links) throws IOException {
    Folders.delete(links);
    Files.createDirectories(links.resolve("conf"));
    for (String part : List.of("bin", "jars", "RELEASE")) {
      if (Files.exists(spark.resolve(part))) {
        Files.createSymbolicLink(links.resolve(part), spark.resolve(part));
      }
    }
    Files.writeString(
        links.resolve("conf/log4j2.properties"),
        """
        rootLogger.level = warn
        rootLogger.appenderRef.stderr.ref = stderr
        appender.stderr.type = Console
        appender.stderr.name = stderr
        appender.stderr.target = SYSTEM_ERR
        appender.stderr.layout.type = PatternLayout
        appender.stderr.layout.pattern = %d{HH:mm:ss} %p %c{1}: %m%n%ex
        logger.numaspark.name = numaspark
        logger.numaspark.level = info
        """);
    return links;
  }

  /** Runs a query and returns what the application says of it. */
  Map<String, String> run(String query, Map<String, String> arguments) throws IOException {
    StringBuilder line = new StringBuilder(query);
    arguments.forEach((key, value) -> line.append('\t').append(key).append('=').append(value));
    commands.write(line.append('\n').toString());
    commands.flush();
    return answer();
  }

  private Map<String, String> answer() throws IOException {
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(MARK)) {
        Map<String, String> fields = new HashMap<>();
        for (String field : line.substring(MARK.length()).split("\t")) {
          int equals = field.indexOf('=');
          fields.put(field.substring(0, equals), field.substring(equals + 1));
        }
        if (fields.containsKey("error")) {
          throw new IOException("the query failed: " + fields.get("error") + "\n" + lastWords());
        }
        return fields;
      }
    }
    throw new IOException("Spark ended without an answer; its last words:\n" + lastWords());
  }

  /** The log is deleted with the run, so it has to be said now. */
  private String lastWords() throws IOException {
    List<String> lines =
        Files.readAllLines(log).stream().filter(line -> !line.startsWith("\tat ")).toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 12), lines.size()));
  }

  ProcessTree tree() {
    return new ProcessTree(process.toHandle());
  }

  @Override
  public void close() throws IOException {
    ProcessTree tree = tree();
    commands.close();
    try {
      if (!process.waitFor(30, TimeUnit.SECONDS)) {
        tree.kill();
        process.waitFor();
      }
    } catch (InterruptedException e) {
      tree.kill();
      Thread.currentThread().interrupt();
    }
  }
}

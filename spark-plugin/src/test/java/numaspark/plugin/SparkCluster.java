package numaspark.plugin;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/**
 * A real Spark application for tests: this JVM is its driver, and each executor of {@link #start}
 * is a JVM of its own. Only one at a time in one JVM, as Spark has it.
 */
public final class SparkCluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final SparkSession session;

  private SparkCluster(SparkSession session) {
    this.session = session;
  }

  /** Executors in JVMs of their own (local-cluster), registered when this returns. */
  public static SparkCluster start(int executors, int coresEach, Map<String, String> settings) {
    // Much more memory than needed in each worker: spark.executor.memory alone decides.
    String master = "local-cluster[" + executors + "," + coresEach + ",16384]";
    SparkCluster cluster = new SparkCluster(session(master, settings));
    try {
      await(executors + " executors", () -> cluster.executors().size() == executors);
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** One executor inside this JVM (local[n]). */
  public static SparkCluster local(int cores, Map<String, String> settings) {
    return new SparkCluster(session("local[" + cores + "]", settings));
  }

  private static SparkSession session(String master, Map<String, String> settings) {
    Path home = Path.of(System.getenv().getOrDefault("SPARK_HOME", "target/spark-home"));
    Path jars = home.resolve("jars");
    try {
      // Executors are started from there, even if all their classes come from elsewhere.
      Files.createDirectories(jars.toAbsolutePath());
      SparkConf conf =
          new SparkConf()
              .setMaster(master)
              .setAppName("test")
              .set("spark.plugins", NumasparkPlugin.class.getName())
              .set("spark.driver.host", "127.0.0.1")
              .set("spark.driver.bindAddress", "127.0.0.1")
              .set("spark.ui.port", "0")
              .set("spark.ui.showConsoleProgress", "false")
              .set("spark.executor.memory", "512m")
              .set("spark.executor.extraClassPath", classPathBeside(jars))
              .set("spark.sql.shuffle.partitions", "4")
              .set(
                  "spark.sql.warehouse.dir",
                  Files.createTempDirectory("numaspark-warehouse").toUri().toString());
      settings.forEach(conf::set);
      return SparkSession.builder().config(conf).getOrCreate();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The test's own class path for executors, which run in other folders. What a distribution has in
   * its folder of jars is not given to them twice.
   */
  private static String classPathBeside(Path jars) throws IOException {
    Path own = jars.toRealPath();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !own.equals(realParent(entry)))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path realParent(String entry) {
    try {
      return Path.of(entry).toRealPath().getParent();
    } catch (IOException e) {
      return Path.of(entry).toAbsolutePath().getParent();
    }
  }

  public SparkSession session() {
    return session;
  }

  public JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(session.sparkContext());
  }

  /** Processes of the executors that have registered with the driver, by executor id. */
  public Map<String, ProcessHandle> executors() {
    Map<String, ProcessHandle> executors = new TreeMap<>();
    // The driver is one of them.
    int registered = session.sparkContext().statusTracker().getExecutorInfos().length - 1;
    ProcessHandle.current()
        .descendants()
        .forEach(process -> executorId(process).ifPresent(id -> executors.put(id, process)));
    return executors.size() <= registered ? executors : Map.of();
  }

  /** The command line is too long for {@link ProcessHandle.Info#arguments}. */
  private static Optional<String> executorId(ProcessHandle process) {
    try {
      Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
      List<String> words =
          List.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).split("\0"));
      int name = words.indexOf("--executor-id");
      return name < 0 ? Optional.empty() : Optional.of(words.get(name + 1));
    } catch (IOException e) {
      return Optional.empty(); // it has ended
    }
  }

  /** Ends an executor at once, as a lost machine would. Spark starts another one in its place. */
  public void kill(String executorId) {
    ProcessHandle process = executors().get(executorId);
    if (process == null) {
      throw new AssertionError("there is no executor " + executorId + " but " + executors());
    }
    process.destroyForcibly();
    await("the end of executor " + executorId, () -> !process.isAlive());
  }

  /** Polls until the condition holds, at most five minutes. */
  public static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited for " + what + " for " + LIMIT.toMinutes() + " minutes");
      }
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted while waiting for " + what, e);
      }
    }
  }

  @Override
  public void close() {
    session.stop();
  }
}

package numaspark.adaptive;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * What can be told of a stage before it runs, from names alone.
 *
 * @param signature the same for stages of the same code over a like number of tasks
 * @param external whether it reads or writes external storage
 */
record StageTraits(String signature, boolean external) {

  /**
   * One RDD of a stage, as Spark describes it to listeners.
   *
   * @param scope the operation that made it; empty when Spark does not tell
   */
  record Rdd(String name, String scope, String callSite) {}

  /** Classes of RDDs that read; an RDD without a name of its own has its class's. */
  private static final Set<String> READING_RDDS =
      Set.of(
          "HadoopRDD",
          "NewHadoopRDD",
          "FileScanRDD",
          "DataSourceRDD",
          "JDBCRDD",
          "JdbcRDD",
          "BinaryFileRDD",
          "WholeTextFileRDD");

  /** Methods of SparkContext that read; RDDs made by them carry the path as their name. */
  private static final Set<String> READING_SCOPES =
      Set.of(
          "textFile",
          "wholeTextFiles",
          "binaryFiles",
          "binaryRecords",
          "sequenceFile",
          "objectFile",
          "hadoopFile",
          "hadoopRDD",
          "newAPIHadoopFile",
          "newAPIHadoopRDD");

  /** SQL operators that read: "Scan parquet t", "BatchScan t"; not scans of memory. */
  private static final Pattern READING_OPERATOR =
      Pattern.compile("(?:File)?Scan (?!ExistingRDD|OneRowRelation|In-?[Mm]emory).*|BatchScan.*");

  /** Frames of the user's call that write; only a result stage writes by them. */
  private static final Pattern WRITING_CALL =
      Pattern.compile(
          "SparkHadoopWriter|\\.saveAs(?:TextFile|ObjectFile|SequenceFile|HadoopFile|HadoopDataset"
              + "|NewAPIHadoopFile|NewAPIHadoopDataset|Table)\\(|DataFrameWriter(?:V2)?[.(]"
              + "|FileFormatWriter|InsertInto|^(?:save|saveAs\\w+|insertInto|runJob at"
              + " SparkHadoopWriter)");

  /**
   * @param name the short call site
   * @param details the long call site
   * @param result whether the stage hands its results to the driver or out, not to a shuffle
   */
  static StageTraits of(String name, String details, boolean result, int tasks, List<Rdd> rdds) {
    boolean reads = rdds.stream().anyMatch(StageTraits::reads);
    boolean writes =
        result && (WRITING_CALL.matcher(name).find() || WRITING_CALL.matcher(details).find());
    return new StageTraits(signature(name, result, tasks, rdds), reads || writes);
  }

  private static boolean reads(Rdd rdd) {
    return READING_RDDS.contains(rdd.name())
        || READING_SCOPES.contains(rdd.scope())
        || READING_OPERATOR.matcher(rdd.scope().strip()).matches();
  }

  private static String signature(String name, boolean result, int tasks, List<Rdd> rdds) {
    CRC32 crc = new CRC32();
    update(crc, name + "|" + result + "|" + sizeClass(tasks));
    // Spark gives the ancestors in the order of a set.
    rdds.stream()
        .map(rdd -> rdd.name() + "|" + rdd.scope() + "|" + rdd.callSite())
        .sorted()
        .forEach(text -> update(crc, text));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  private static void update(CRC32 crc, String text) {
    crc.update((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Powers of four: a stage of 100 tasks is like one of 120, not like one of 1000. */
  static int sizeClass(int tasks) {
    return (31 - Integer.numberOfLeadingZeros(Math.max(1, tasks))) / 2;
  }
}

package numaspark.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import numaspark.adaptive.StageTraits.Rdd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageTraitsTest {

  @ParameterizedTest
  @CsvSource({
    "HadoopRDD, hadoopFile, true",
    "hdfs://nn/in, textFile, true",
    "FileScanRDD, WholeStageCodegen (1), true",
    "DataSourceRDD, WholeStageCodegen (1), true",
    "MapPartitionsRDD, Scan parquet sales, true",
    "MapPartitionsRDD, BatchScan sales, true",
    "MapPartitionsRDD, Scan ExistingRDD, false",
    "MapPartitionsRDD, Scan In-memory table t, false",
    "MapPartitionsRDD, InMemoryTableScan, false",
    "ShuffledRowRDD, Exchange, false",
    "ParallelCollectionRDD, parallelize, false"
  })
  void knowsReadersByName(String name, String scope, boolean external) {
    assertThat(
            StageTraits.of("count at A.java:1", "", true, 10, List.of(new Rdd(name, scope, "")))
                .external())
        .isEqualTo(external);
  }

  @ParameterizedTest
  @CsvSource({
    "runJob at SparkHadoopWriter.scala:83, '', true, true",
    "save at A.java:1, '', true, true",
    "parquet at A.java:1, org.apache.spark.sql.DataFrameWriter.parquet(DataFrameWriter.scala:370),"
        + " true, true",
    "parquet at A.java:1, org.apache.spark.sql.DataFrameWriter.parquet(DataFrameWriter.scala:370),"
        + " false, false",
    "count at A.java:1, org.apache.spark.sql.Dataset.count(Dataset.scala:1), true, false"
  })
  void knowsWritersByTheirCall(String name, String details, boolean result, boolean external) {
    assertThat(
            StageTraits.of(name, details, result, 10, List.of(new Rdd("ShuffledRDD", "", "")))
                .external())
        .isEqualTo(external);
  }

  @Test
  void theSignatureIsTheCodesAndTheSizes() {
    Rdd read = new Rdd("in", "textFile", "textFile at A.java:1");
    Rdd map = new Rdd("MapPartitionsRDD", "map", "map at A.java:2");
    String signature = signature(100, read, map);

    assertThat(signature(120, map, read)).isEqualTo(signature).matches("[0-9a-f]{8}");
    assertThat(signature(1000, read, map)).isNotEqualTo(signature);
    assertThat(signature(100, read)).isNotEqualTo(signature);
  }

  private static String signature(int tasks, Rdd... rdds) {
    return StageTraits.of("count at A.java:3", "", true, tasks, List.of(rdds)).signature();
  }
}

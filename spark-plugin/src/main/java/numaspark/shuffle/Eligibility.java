package numaspark.shuffle;

import java.util.Optional;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.execution.UnsafeRowSerializer;

/** Which shuffles go to pages; all others are Spark's own. */
final class Eligibility {
  private final boolean encrypted;
  private final boolean external;
  private final boolean oldProtocol;
  private final boolean migrates;
  private final int mostPartitions;

  /**
   * @param mostPartitions with more, a run holds too little of each partition to be worth it
   */
  Eligibility(SparkConf conf, int mostPartitions) {
    encrypted = conf.getBoolean("spark.io.encryption.enabled", false);
    external = conf.getBoolean("spark.shuffle.service.enabled", false);
    oldProtocol = conf.getBoolean("spark.shuffle.useOldFetchProtocol", false);
    migrates =
        conf.getBoolean("spark.decommission.enabled", false)
            && conf.getBoolean("spark.storage.decommission.enabled", false)
            && conf.getBoolean("spark.storage.decommission.shuffleBlocks.enabled", true);
    this.mostPartitions = mostPartitions;
  }

  /** Why a shuffle cannot be in pages; empty when it can. */
  Optional<String> objection(ShuffleDependency<?, ?, ?> dependency) {
    if (!(dependency.serializer() instanceof UnsafeRowSerializer)) {
      return Optional.of("its rows are not Spark SQL's");
    }
    if (dependency.aggregator().isDefined()
        || dependency.keyOrdering().isDefined()
        || dependency.mapSideCombine()) {
      return Optional.of("it aggregates or sorts in the shuffle");
    }
    if (encrypted) {
      return Optional.of("spark.io.encryption.enabled requires encrypted blocks");
    }
    if (external) {
      return Optional.of("spark.shuffle.service.enabled has another process serve the blocks");
    }
    if (oldProtocol) {
      return Optional.of(
          "spark.shuffle.useOldFetchProtocol gives two attempts of a task the same id");
    }
    if (migrates) {
      return Optional.of(
          "spark.storage.decommission.shuffleBlocks.enabled moves files of blocks to other executors");
    }
    if (dependency.shuffleMergeEnabled()) {
      return Optional.of("spark.shuffle.push.enabled merges blocks in another process");
    }
    int partitions = dependency.partitioner().numPartitions();
    if (partitions > mostPartitions) {
      return Optional.of(
          partitions
              + " partitions are more than spark.numaspark.shuffle.pages.maxPartitions="
              + mostPartitions);
    }
    return Optional.empty();
  }
}

package numaspark.shuffle;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.ShuffleHandle;

/** A shuffle whose rows go to pages; travels from the driver to the tasks. */
final class PagesHandle<K, V, C> extends BaseShuffleHandle<K, V, C> {
  private static final long serialVersionUID = 1;

  private final ShuffleHandle sort;

  /**
   * @param sort how Spark's own manager would do it, for rows that find no memory
   */
  PagesHandle(int shuffleId, ShuffleDependency<K, V, C> dependency, ShuffleHandle sort) {
    super(shuffleId, dependency);
    this.sort = sort;
  }

  ShuffleHandle sort() {
    return sort;
  }
}

package numaspark.shuffle;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.apache.spark.sql.execution.UnsafeRowSerializer;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import scala.Option;

/**
 * What differs between the Sparks that one jar runs in, and what none of them shows.
 *
 * <p>From 4.1 a map status has a fourth part, a checksum over the rows in any order
 * (spark.sql.shuffle.orderIndependentChecksum).
 */
final class SparkLine {
  private static final MethodHandle STATUS = status();
  private static final Field DATA_SIZE = dataSize();

  private SparkLine() {}

  private static MethodHandle status() {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodType upTo40 =
        MethodType.methodType(MapStatus.class, BlockManagerId.class, long[].class, long.class);
    try {
      return lookup
          .findVirtual(MapStatus$.class, "apply", upTo40.appendParameterTypes(long.class))
          .bindTo(MapStatus$.MODULE$);
    } catch (NoSuchMethodException e) {
      try {
        MethodHandle three =
            lookup.findVirtual(MapStatus$.class, "apply", upTo40).bindTo(MapStatus$.MODULE$);
        return MethodHandles.dropArguments(three, 3, long.class);
      } catch (ReflectiveOperationException older) {
        throw new IllegalStateException(
            "This Spark has a MapStatus that numaspark does not know", older);
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field dataSize() {
    try {
      Field field = UnsafeRowSerializer.class.getDeclaredField("dataSize");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(
          "This Spark has an UnsafeRowSerializer that numaspark does not know", e);
    }
  }

  /**
   * @param lengths bytes of each partition
   * @param checksum over all rows; ignored by Sparks before 4.1
   */
  static MapStatus mapStatus(BlockManagerId location, long[] lengths, long mapId, long checksum) {
    try {
      return (MapStatus) STATUS.invokeExact(location, lengths, mapId, checksum);
    } catch (Throwable e) {
      throw new IllegalStateException("MapStatus could not be made", e);
    }
  }

  /**
   * The metric that Spark's serializer adds the bytes of every row to, and by which adaptive query
   * execution decides between joins.
   *
   * @return null when the query has none
   */
  static SQLMetric dataSize(Serializer serializer) {
    try {
      return (SQLMetric) DATA_SIZE.get(serializer);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A block manager that fetches blocks of other executors of its host from them, where Spark's own
   * would read their files (spark.shuffle.readHostLocalDisk).
   *
   * <p>For one shuffle reader, which only asks it: a copy of Spark's own as it is now, because
   * whoever changed that one would change every other shuffle too.
   */
  static BlockManager withoutHostLocalReads(BlockManager own) {
    if (own.hostLocalDirManager().isEmpty()) {
      return own;
    }
    BlockManager copy = Memory.withoutConstructor(BlockManager.class);
    for (Field field : BlockManager.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        Memory.copyField(field, own, copy);
      }
    }
    copy.hostLocalDirManager_$eq(Option.empty());
    return copy;
  }

  /**
   * Checksums of a task's rows, one a partition; Spark repeats a stage whose rows were different
   * the first time.
   */
  sealed interface Checksums {
    boolean wanted();

    void update(int partition, Object key, Object row);

    long value();
  }

  private enum NoChecksums implements Checksums {
    NONE;

    @Override
    public boolean wanted() {
      return false;
    }

    @Override
    public void update(int partition, Object key, Object row) {}

    @Override
    public long value() {
      return 0;
    }
  }

  private record RowChecksums(RowBasedChecksum[] of) implements Checksums {
    @Override
    public boolean wanted() {
      return true;
    }

    @Override
    public void update(int partition, Object key, Object row) {
      of[partition].update(key, row);
    }

    @Override
    public long value() {
      return RowBasedChecksum.getAggregatedChecksumValue(of);
    }

    static Checksums in(ShuffleDependency<?, ?, ?> dependency) {
      RowBasedChecksum[] checksums = dependency.rowBasedChecksums();
      return checksums == null || checksums.length == 0
          ? NoChecksums.NONE
          : new RowChecksums(checksums);
    }
  }

  static Checksums checksums(ShuffleDependency<?, ?, ?> dependency) {
    try {
      return RowChecksums.in(dependency);
    } catch (NoSuchMethodError | NoClassDefFoundError e) {
      return NoChecksums.NONE; // before 4.1
    }
  }
}

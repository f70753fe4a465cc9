package numaspark.shuffle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.FileSegmentManagedBuffer;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import scala.Option;

/**
 * Gives Spark's block transfer the blocks that this executor has in pages, and those that are
 * partly on disk; blocks of other shuffles as Spark does.
 *
 * <p>Limit: of an executor's own outputs alone. What is partly on the disk of another executor of
 * the same host is that one's to give ({@link PagesReader}).
 */
final class PagesBlockResolver extends IndexShuffleBlockResolver {
  private Supplier<PageStore> store;

  private PagesBlockResolver(SparkConf conf) {
    super(conf); // never run: see of
  }

  /**
   * A resolver with all that another one has.
   *
   * <p>The constructors differ between Spark's lines, and the manager's own resolver shares a
   * private map with it; so this one takes over the fields instead.
   */
  static PagesBlockResolver of(IndexShuffleBlockResolver original, Supplier<PageStore> store) {
    PagesBlockResolver resolver = Memory.withoutConstructor(PagesBlockResolver.class);
    for (Field field : IndexShuffleBlockResolver.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        Memory.copyField(field, original, resolver);
      }
    }
    resolver.store = store;
    return resolver;
  }

  @Override
  public ManagedBuffer getBlockData(BlockId blockId, Option<String[]> dirs) {
    PageStore pages = store.get();
    if (pages == null || !(blockId instanceof ShuffleBlockId id) || !pages.knows(id.shuffleId())) {
      return super.getBlockData(blockId, dirs);
    }
    try (PageStore.Lease lease = pages.lease(id.shuffleId())) {
      ShuffleFolder own = dirs.isEmpty() ? lease.own() : null;
      MapOutput output = own == null ? null : own.find(id.mapId());
      if (output == null) {
        throw new IOException(id + ": this executor has no such map output in pages");
      }
      List<Run.Segment> segments = own.segments(output, id.reduceId());
      List<PageBlock.Part> parts = new ArrayList<>();
      segments.forEach(
          segment ->
              parts.add(
                  new PageBlock.Part(
                      own.fileOf(segment.file()), segment.offset(), segment.length())));
      if (output.overflow()) {
        addRest(super.getBlockData(blockId, dirs), parts);
      }
      return new PageBlock(PageStream.header(segments), parts);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addRest(ManagedBuffer rest, List<PageBlock.Part> parts) throws IOException {
    if (!(rest instanceof FileSegmentManagedBuffer piece)) {
      throw new IOException("Spark's shuffle file is given as " + rest.getClass().getName());
    }
    if (piece.getLength() > 0) {
      parts.add(new PageBlock.Part(piece.getFile().toPath(), piece.getOffset(), piece.getLength()));
    }
  }
}

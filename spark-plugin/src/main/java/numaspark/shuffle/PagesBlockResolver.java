package numaspark.shuffle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.network.buffer.ManagedBuffer;
import org.apache.spark.network.buffer.NioManagedBuffer;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.ShuffleBlockId;
import org.apache.spark.unsafe.Platform;
import scala.Option;

/**
 * Gives Spark's block transfer the blocks that are in pages, and those that are partly on disk;
 * blocks of other shuffles as Spark does.
 *
 * <p>A block is copied out of the pages when it is asked for: netty sends it at a time when the
 * shuffle may be gone.
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
      ShuffleFolder folder = pages.search(lease, id.mapId());
      if (folder == null) {
        throw new IOException(id + ": there is no such map output in pages on this node");
      }
      MapOutput output = folder.find(id.mapId());
      ManagedBuffer rest = output.overflow() ? super.getBlockData(blockId, dirs) : null;
      return block(folder.segments(output, id.reduceId()), rest);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ManagedBuffer block(List<Run.Segment> segments, ManagedBuffer rest)
      throws IOException {
    long size = PageStream.headerBytes(segments.size());
    for (Run.Segment segment : segments) {
      size += segment.length();
    }
    ByteBuffer onDisk = rest == null ? ByteBuffer.allocate(0) : rest.nioByteBuffer();
    size += onDisk.remaining();
    if (size > Integer.MAX_VALUE - 16) {
      throw new IOException(
          "A block of " + size + " bytes is too large to be sent; use more shuffle partitions");
    }
    ByteBuffer block = ByteBuffer.allocate((int) size);
    PageStream.header(block, segments);
    for (Run.Segment segment : segments) {
      int length = (int) segment.length();
      Platform.copyMemory(
          null,
          segment.address(),
          block.array(),
          Platform.BYTE_ARRAY_OFFSET + block.position(),
          length);
      block.position(block.position() + length);
    }
    block.put(onDisk);
    return new NioManagedBuffer(block.flip());
  }
}

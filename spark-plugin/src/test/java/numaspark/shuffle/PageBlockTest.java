package numaspark.shuffle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.FileRegion;
import io.netty.handler.stream.ChunkedStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block gives the same bytes in every way that Spark asks for them, and errors where it must. */
class PageBlockTest {
  @TempDir Path folder;

  private final byte[] content = new byte[300_000];
  private Path file;

  private PageBlock block() throws IOException {
    new Random(1).nextBytes(content);
    file = Files.write(folder.resolve("0.pages"), content);
    return new PageBlock(
        new byte[] {1, 2, 3},
        List.of(
            new PageBlock.Part(file, 100, 70_000),
            new PageBlock.Part(file, 0, 1),
            new PageBlock.Part(file, 250_000, 50_000)));
  }

  private byte[] expected() {
    ByteBuffer bytes = ByteBuffer.allocate(120_004).put(new byte[] {1, 2, 3});
    bytes.put(content, 100, 70_000).put(content, 0, 1).put(content, 250_000, 50_000);
    return bytes.array();
  }

  @Test
  void asAStreamAndAsABuffer() throws IOException {
    PageBlock block = block();
    assertThat(block.size()).isEqualTo(120_004);
    try (InputStream in = block.createInputStream()) {
      assertThat(in.readAllBytes()).isEqualTo(expected());
      assertThat(in.available()).isZero();
    }
    assertThat(block.nioByteBuffer().array()).isEqualTo(expected());
  }

  /** A socket that takes some bytes, or none. */
  private static final class Socket implements WritableByteChannel {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final Random random = new Random(2);

    @Override
    public int write(ByteBuffer bytes) {
      int some = Math.min(bytes.remaining(), Math.max(0, random.nextInt(9000) - 1000));
      byte[] taken = new byte[some];
      bytes.get(taken);
      sent.writeBytes(taken);
      return some;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  void overASocketThatTakesABitAtATime() throws IOException {
    FileRegion region = (FileRegion) block().convertToNetty();
    Socket socket = new Socket();
    while (region.transferred() < region.count()) {
      region.transferTo(socket, region.transferred());
    }
    assertThat(region.transferTo(socket, region.count())).isZero();
    assertThat(socket.sent.toByteArray()).isEqualTo(expected());
    assertThat(region.release()).isTrue();
  }

  @Test
  void encrypted() throws Exception {
    ChunkedStream chunks = (ChunkedStream) block().convertToNettyForSsl();
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    while (!chunks.isEndOfInput()) {
      ByteBuf chunk = chunks.readChunk(UnpooledByteBufAllocator.DEFAULT);
      assertThat(chunk.readableBytes()).isLessThanOrEqualTo(64 << 10);
      chunk.readBytes(sent, chunk.readableBytes());
      chunk.release();
    }
    assertThat(sent.toByteArray()).isEqualTo(expected());
  }

  @Test
  void nothingIsReadOrMappedForABlockOf3GiB() throws IOException {
    Path large = folder.resolve("large");
    try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
      sparse.setLength(3L << 30);
    }
    PageBlock block = new PageBlock(new byte[8], List.of(new PageBlock.Part(large, 0, 3L << 30)));
    assertThat(block.size()).isEqualTo((3L << 30) + 8);
    assertThat(((FileRegion) block.convertToNetty()).count()).isEqualTo(block.size());
    assertThatThrownBy(block::nioByteBuffer).hasMessageContaining("only be read as a stream");
  }

  /** Spark asserts that only its own files fail when the stream is made. */
  @Test
  void aRemovedShuffleIsAnErrorWhenItIsRead() throws IOException {
    PageBlock block = block();
    Files.delete(file);
    InputStream in = block.createInputStream();
    assertThat(in.readNBytes(3)).hasSize(3);
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
    FileRegion region = (FileRegion) block.convertToNetty();
    assertThatThrownBy(
            () -> {
              while (true) {
                region.transferTo(new Socket(), region.transferred());
              }
            })
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void aFileThatWasCutShortIsAnErrorAndNotAnEndlessWait() throws IOException {
    PageBlock block = block();
    Files.write(file, Arrays.copyOf(content, 60_000));
    assertThatThrownBy(() -> block.createInputStream().readAllBytes())
        .hasMessageContaining("bytes early");
    FileRegion region = (FileRegion) block.convertToNetty();
    Socket socket = new Socket();
    assertThatThrownBy(
            () -> {
              while (true) {
                region.transferTo(socket, region.transferred());
              }
            })
        .hasMessageContaining("cut short");
  }
}

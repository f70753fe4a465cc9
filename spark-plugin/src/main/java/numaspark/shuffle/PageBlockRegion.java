package numaspark.shuffle;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.spark.network.util.AbstractFileRegion;

/**
 * A {@link PageBlock} on its way to another executor: the kernel copies from file to socket where
 * it can.
 *
 * <p>Also more than 2 GiB; one file is open at a time, from the first byte of it that is sent.
 */
final class PageBlockRegion extends AbstractFileRegion {
  private final ByteBuffer header;
  private final List<PageBlock.Part> parts;
  private final long count;
  private long transferred;
  private int part = -1;
  private long sentOfPart;
  private FileChannel channel;

  PageBlockRegion(byte[] header, List<PageBlock.Part> parts, long count) {
    this.header = ByteBuffer.wrap(header).asReadOnlyBuffer();
    this.parts = parts;
    this.count = count;
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public long transferred() {
    return transferred;
  }

  @Override
  public long count() {
    return count;
  }

  /**
   * @return bytes that were sent; 0 when the socket takes no more now
   */
  @Override
  public long transferTo(WritableByteChannel target, long position) throws IOException {
    if (position != transferred) {
      throw new IllegalArgumentException(
          "bytes from " + position + " were requested, and " + transferred + " were sent");
    }
    long before = transferred;
    if (header.hasRemaining()) {
      transferred += target.write(header);
    }
    while (!header.hasRemaining() && transferred < count) {
      long sent = sendFromPart(target);
      if (sent == 0) {
        break;
      }
      transferred += sent;
    }
    return transferred - before;
  }

  private long sendFromPart(WritableByteChannel target) throws IOException {
    while (part < 0 || sentOfPart == parts.get(part).length()) {
      closePart();
      part++;
      sentOfPart = 0;
    }
    PageBlock.Part current = parts.get(part);
    if (channel == null) {
      channel = FileChannel.open(current.file(), StandardOpenOption.READ);
    }
    long at = current.offset() + sentOfPart;
    long sent = channel.transferTo(at, current.length() - sentOfPart, target);
    if (sent == 0 && channel.size() <= at) {
      throw new EOFException(current + " of a block was cut short while it was sent");
    }
    sentOfPart += sent;
    return sent;
  }

  private void closePart() throws IOException {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  protected void deallocate() {
    try {
      closePart();
    } catch (IOException e) {
      // A file that was only read loses nothing.
    }
  }
}

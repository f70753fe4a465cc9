package io.numaspark.agent.kubelet;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A connection to a unix socket on which no wait outlasts one common deadline.
 *
 * <p>A blocking unix channel knows no timeout in Java 17; therefore the selector.
 */
final class DeadlineSocket implements AutoCloseable {
  private static final int BUFFER = 16 * 1024;

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  private final ByteBuffer input = ByteBuffer.allocate(BUFFER).flip();
  private final long deadline;

  private DeadlineSocket(SocketChannel channel, Selector selector, long deadline)
      throws IOException {
    this.channel = channel;
    this.selector = selector;
    this.deadline = deadline;
    this.key = channel.register(selector, 0);
  }

  static DeadlineSocket connect(Path path, Duration timeout) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    Selector selector = null;
    try {
      channel.configureBlocking(false);
      selector = Selector.open();
      DeadlineSocket socket = new DeadlineSocket(channel, selector, deadline);
      if (!channel.connect(UnixDomainSocketAddress.of(path))) {
        socket.await(SelectionKey.OP_CONNECT);
        channel.finishConnect();
      }
      return socket;
    } catch (IOException | RuntimeException e) {
      close(channel, selector);
      throw e;
    }
  }

  /** Fills {@code target} from {@code from} with {@code length} bytes. */
  void read(byte[] target, int from, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (!input.hasRemaining()) {
        fill();
      }
      int part = Math.min(length - done, input.remaining());
      input.get(target, from + done, part);
      done += part;
    }
  }

  private void fill() throws IOException {
    input.clear();
    try {
      int count = channel.read(input);
      while (count == 0) {
        await(SelectionKey.OP_READ);
        count = channel.read(input);
      }
      if (count < 0) {
        throw new EOFException("the connection was closed before the answer was complete");
      }
      checkDeadline(); // a peer that never stops sending must not keep us either
    } finally {
      input.flip();
    }
  }

  void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        await(SelectionKey.OP_WRITE);
      }
    }
  }

  private void await(int operation) throws IOException {
    key.interestOps(operation);
    while (selector.select(checkDeadline()) == 0) {
      if (Thread.currentThread().isInterrupted()) {
        throw new SocketTimeoutException("interrupted");
      }
    }
    selector.selectedKeys().clear();
  }

  /** Milliseconds until the deadline, at least 1. */
  private long checkDeadline() throws SocketTimeoutException {
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("no complete answer in time");
    }
    return left / 1_000_000 + 1;
  }

  @Override
  public void close() {
    close(channel, selector);
  }

  private static void close(SocketChannel channel, Selector selector) {
    try {
      channel.close();
      if (selector != null) {
        selector.close();
      }
    } catch (IOException e) {
      // Everything that was wanted has been read.
    }
  }
}

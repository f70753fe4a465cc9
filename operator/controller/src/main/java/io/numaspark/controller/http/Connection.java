package io.numaspark.controller.http;

import io.numaspark.controller.http.RequestHead.Parsed;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * One connection, on which one request is read and answered; only the listener's thread uses it.
 */
final class Connection {
  private final SocketChannel channel;
  private final InetAddress client;
  private final SelectionKey key;
  private ByteBuffer head;
  private ByteBuffer answer;
  private long deadline;
  private boolean isHead;

  /**
   * A connection that was accepted.
   *
   * @param deadline by when its request has to be there, in nanoseconds of the system's clock
   */
  Connection(SocketChannel channel, Selector selector, int headBytes, long deadline)
      throws IOException {
    this.channel = channel;
    this.client = channel.socket().getInetAddress();
    this.head = ByteBuffer.allocate(headBytes);
    this.deadline = deadline;
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ, this);
  }

  InetAddress client() {
    return client;
  }

  boolean isLate(long now) {
    return now - deadline > 0;
  }

  long deadline() {
    return deadline;
  }

  /** Whether its request is whole and not answered yet. */
  boolean isWaiting() {
    return head == null && answer == null;
  }

  boolean isAnswering() {
    return answer != null;
  }

  boolean isOpen() {
    return channel.isOpen();
  }

  /** Bytes of its answer that are kept for it. */
  int answerBytes() {
    return answer == null ? 0 : answer.capacity();
  }

  /**
   * Reads what has come.
   *
   * @throws IOException if the client has gone
   */
  Parsed read() throws IOException {
    int before = head.position();
    int read = channel.read(head);
    if (read < 0) {
      throw new IOException("the client has closed");
    }
    return read == 0
        ? new Parsed.Incomplete()
        : RequestHead.parse(head.array(), head.position(), before);
  }

  /** Its request is whole: nothing more is read. */
  void await(HttpRequest request, long newDeadline) {
    isHead = request.isHead();
    key.interestOps(0);
    head = null;
    deadline = newDeadline;
  }

  /** Has something to say. */
  void answer(HttpAnswer given, long newDeadline) {
    answer = ByteBuffer.wrap(given.bytes(!isHead));
    deadline = newDeadline;
    key.interestOps(SelectionKey.OP_WRITE);
  }

  /** Writes what the client takes; true if that was all. */
  boolean write() throws IOException {
    channel.write(answer);
    if (answer.hasRemaining()) {
      return false;
    }
    channel.shutdownOutput();
    return true;
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
    }
  }
}

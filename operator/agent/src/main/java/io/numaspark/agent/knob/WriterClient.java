package io.numaspark.agent.knob;

import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The reader's side of the writer's socket: one connection, one request, one reply.
 *
 * <p>Limit: does not try again; a writer that is not there yet is an {@link IOException}.
 */
public final class WriterClient {

  private final Path socket;
  private final Duration timeout;

  /**
   * @param socket path of the writer's socket
   * @param timeout how long the writer may take for a reply
   */
  public WriterClient(Path socket, Duration timeout) {
    this.socket = socket;
    this.timeout = timeout;
  }

  /**
   * Sets the wanted knobs, and puts back every knob that was set before and is not wanted any more.
   *
   * @param wanted values by knob
   * @param cores CPUs whose cores' prefetchers are set, all others being put back; null for all
   *     CPUs. Memory policy is always the whole node's.
   * @return one state for each wanted knob, and for each that was put back
   * @throws IOException if the writer cannot be reached, takes too long, or refuses the request
   */
  public List<KnobState> apply(KnobSettings wanted, CpuSet cores) throws IOException {
    return ask(new WriterRequest.Apply(wanted, cores));
  }

  /**
   * Puts back every knob that was set.
   *
   * @return one state for each knob that was put back; empty if none was set
   * @throws IOException as {@link #apply}
   */
  public List<KnobState> restore() throws IOException {
    return ask(new WriterRequest.Restore());
  }

  /**
   * Reads back every knob that is wanted or set; writes nothing.
   *
   * @throws IOException as {@link #apply}
   */
  public List<KnobState> status() throws IOException {
    return ask(new WriterRequest.Status());
  }

  private List<KnobState> ask(WriterRequest request) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector selector = Selector.open()) {
      // A writer that is stopped takes connections until its queue is full, and then keeps waiting.
      channel.configureBlocking(false);
      SelectionKey key = channel.register(selector, 0);
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        await(key, SelectionKey.OP_CONNECT, deadline);
        channel.finishConnect();
      }
      ByteBuffer line = ByteBuffer.wrap(WriterMessages.encode(request));
      while (line.hasRemaining()) {
        if (channel.write(line) == 0) {
          await(key, SelectionKey.OP_WRITE, deadline);
        }
      }
      LineBuffer buffer = new LineBuffer(WriterMessages.MAX_REPLY_BYTES);
      while (!buffer.isComplete()) {
        await(key, SelectionKey.OP_READ, deadline);
        if (!buffer.readFrom(channel)) {
          throw new IOException("the writer has closed " + socket + " before its reply was whole");
        }
      }
      return WriterMessages.decodeReply(buffer.line());
    }
  }

  private void await(SelectionKey key, int operation, long deadline) throws IOException {
    long millis = (deadline - System.nanoTime()) / 1_000_000;
    if (millis <= 0) {
      throw new IOException(
          "the writer has not replied within " + timeout.toSeconds() + " s on " + socket);
    }
    key.interestOps(operation);
    key.selector().select(millis);
    key.selector().selectedKeys().clear();
  }
}

package io.numaspark.agent.writer;

import io.numaspark.agent.knob.LineBuffer;
import io.numaspark.agent.knob.WriterMessages;
import io.numaspark.agent.knob.WriterRequest;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes one request from each connection to a UNIX domain socket, one connection after the other.
 *
 * <p>Limit: what a client may ask is in {@link WriterMessages}; a client that says nothing, or does
 * not read its reply, is dropped after a time.
 */
final class WriterServer implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(WriterServer.class.getName());

  private final KnobWriter writer;
  private final Path socket;
  private final Duration patience;
  private final ServerSocketChannel server;

  /**
   * Listens. A socket file that an earlier run has left is removed.
   *
   * @param writer does the work
   * @param socket path of the socket; only the owner of the process may connect, which the umask
   *     sees to
   * @param patience how long a client may take to say its line, and again to read the reply
   * @throws IOException if nobody can listen there
   */
  WriterServer(KnobWriter writer, Path socket, Duration patience) throws IOException {
    this.writer = writer;
    this.socket = socket;
    this.patience = patience;
    Path directory = socket.toAbsolutePath().getParent();
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    Files.deleteIfExists(socket);
    this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket));
      // Not made so: a change of mode follows links, and others may write to this folder.
      if (isOpen(socket, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.GROUP_WRITE)
          && isOpen(
              directory, PosixFilePermission.OTHERS_EXECUTE, PosixFilePermission.GROUP_EXECUTE)) {
        throw new IOException(
            socket + " is open to other users: start the writer with the umask 022 or 077");
      }
    } catch (IOException e) {
      server.close();
      throw e;
    }
  }

  private static boolean isOpen(Path path, PosixFilePermission... any) throws IOException {
    Set<PosixFilePermission> permissions =
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
    return Stream.of(any).anyMatch(permissions::contains);
  }

  /**
   * Serves until {@link #close}.
   *
   * @throws IOException if no connection can be taken any more
   */
  void run() throws IOException {
    try {
      while (true) {
        serve(server.accept());
        // Once a minute, while nobody waits; the heap would grow to its limit before the JVM does
        // so.
        System.gc();
      }
    } catch (ClosedChannelException e) {
      // That is how it ends.
      LOG.log(System.Logger.Level.DEBUG, "no longer listening on {0}", socket);
    }
  }

  private void serve(SocketChannel connection) {
    try (SocketChannel client = connection) {
      answer(client);
    } catch (IOException e) {
      // The client's fault or loss; whatever it asked for is done or not begun.
      LOG.log(System.Logger.Level.INFO, "connection dropped: {0}", e.getMessage());
    } catch (RuntimeException e) {
      // Nothing that one client says ends the writer for the next.
      LOG.log(System.Logger.Level.ERROR, "connection dropped: {0}", e);
    }
  }

  private void answer(SocketChannel client) throws IOException {
    client.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      client.register(selector, SelectionKey.OP_READ);
      byte[] reply;
      try {
        reply = reply(readLine(client, selector));
      } catch (LineBuffer.TooLongException e) {
        reply = WriterMessages.encodeError(e.getMessage() + ": write a shorter request");
      }
      client.keyFor(selector).interestOps(SelectionKey.OP_WRITE);
      ByteBuffer bytes = ByteBuffer.wrap(reply);
      long deadline = deadline();
      while (bytes.hasRemaining()) {
        await(selector, deadline);
        client.write(bytes);
      }
    }
  }

  private byte[] readLine(SocketChannel client, Selector selector) throws IOException {
    LineBuffer buffer = new LineBuffer(WriterMessages.MAX_REQUEST_BYTES);
    long deadline = deadline();
    while (!buffer.isComplete()) {
      await(selector, deadline);
      if (!buffer.readFrom(client)) {
        throw new IOException("it ended before its line did");
      }
    }
    return buffer.line();
  }

  private byte[] reply(byte[] line) throws IOException {
    try {
      return WriterMessages.encodeReply(answer(WriterMessages.decodeRequest(line)));
    } catch (IllegalArgumentException | IOException e) {
      LOG.log(System.Logger.Level.WARNING, "refused: {0}", e.getMessage());
      return WriterMessages.encodeError(String.valueOf(e.getMessage()));
    }
  }

  private List<KnobState> answer(WriterRequest request) throws IOException {
    if (request instanceof WriterRequest.Apply apply) {
      return writer.apply(apply.wanted(), apply.cores());
    }
    return request instanceof WriterRequest.Restore ? writer.restore() : writer.status();
  }

  private long deadline() {
    return System.nanoTime() + patience.toNanos();
  }

  private static void await(Selector selector, long deadline) throws IOException {
    // A selector waits for ever if told 0.
    long millis = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
    if (System.nanoTime() >= deadline) {
      throw new IOException("it took too long");
    }
    selector.select(millis);
    selector.selectedKeys().clear();
  }

  /** Stops to listen; undoes nothing. */
  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }
}

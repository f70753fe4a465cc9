package io.numaspark.controller.http;

import io.numaspark.controller.http.RequestHead.Parsed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a port and answers requests without a body, one on each connection.
 *
 * <p>One thread reads and writes for all connections and waits for none, so a client that sends or
 * reads slowly, or never, costs a connection and no thread; and there is always room for the next
 * client ({@link Connections}). Limit: an answer is made whole in memory.
 */
public final class HttpListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

  /** So that a flood of connections does not keep those from being read that are there. */
  private static final int ACCEPTED_IN_TURN = 128;

  /** Where there is no room, the kernel lets a client try again after a second, and then three. */
  private static final int BACKLOG = 1024;

  private static final Duration BETWEEN_LOOKS_AT_DEADLINES = Duration.ofMillis(200);
  private static final Duration WITHOUT_DESCRIPTORS = Duration.ofMillis(50);

  private final Limits limits;
  private final Executor executor;
  private final Function<HttpRequest, HttpAnswer> handler;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final Connections connections;
  private final Queue<Runnable> finished = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * What clients may take.
   *
   * @param connections at once
   * @param headBytes of a request
   * @param answerBytes of all answers that are not read yet; one may be longer
   * @param request longest time from the connection until the request is there
   * @param answer longest time from there until the answer is read
   */
  public record Limits(
      int connections, int headBytes, long answerBytes, Duration request, Duration answer) {}

  /**
   * Starts to listen.
   *
   * @param executor calls the handler; one that does so at once has the listener's own thread do it
   * @throws IOException if the port is taken
   */
  public HttpListener(
      String name,
      int port,
      Limits limits,
      Executor executor,
      Function<HttpRequest, HttpAnswer> handler)
      throws IOException {
    this.limits = limits;
    this.executor = executor;
    this.handler = handler;
    connections = new Connections(limits);
    selector = Selector.open();
    server = ServerSocketChannel.open();
    try {
      server.bind(new InetSocketAddress(port), BACKLOG);
      server.configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException e) {
      server.close();
      selector.close();
      throw e;
    }
    thread = new Thread(this::run, name);
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        selector.select(connections.isEmpty() ? 0 : BETWEEN_LOOKS_AT_DEADLINES.toMillis());
        for (Runnable next = finished.poll(); next != null; next = finished.poll()) {
          next.run();
        }
        List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        // Those that are there go first: accepting may close one of them.
        ready.stream().map(SelectionKey::attachment).forEach(this::proceed);
        if (ready.stream().anyMatch(key -> key.attachment() == null)) {
          accept();
        }
        connections.closeLate(System.nanoTime());
      }
    } catch (IOException e) {
      LOG.error("Nobody listens on {} any more", thread.getName(), e);
    } finally {
      release();
    }
  }

  private void accept() {
    for (int i = 0; i < ACCEPTED_IN_TURN && !closed; i++) {
      try {
        SocketChannel channel = server.accept();
        if (channel == null) {
          return;
        }
        proceed(admit(channel));
      } catch (IOException e) {
        // Descriptors have run out; without a pause the thread would try again and again.
        connections.closeOne();
        LockSupport.parkNanos(WITHOUT_DESCRIPTORS.toNanos());
        return;
      }
    }
  }

  private Connection admit(SocketChannel channel) throws IOException {
    try {
      Connection connection =
          new Connection(channel, selector, limits.headBytes(), after(limits.request()));
      connections.add(connection);
      return connection;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Null is the attachment of the port itself. */
  private void proceed(Object attachment) {
    if (!(attachment instanceof Connection connection) || !connection.isOpen()) {
      return;
    }
    try {
      if (connection.isAnswering()) {
        write(connection);
      } else if (!connection.isWaiting()) {
        read(connection);
      }
    } catch (IOException | RuntimeException e) {
      connections.close(connection);
    }
  }

  private void read(Connection connection) throws IOException {
    Parsed parsed = connection.read();
    if (parsed instanceof Parsed.Complete complete) {
      connection.await(complete.request(), after(limits.answer()));
      try {
        executor.execute(() -> handle(connection, complete.request()));
      } catch (RejectedExecutionException e) {
        connections.close(connection);
      }
    } else if (parsed instanceof Parsed.Bad bad) {
      answer(connection, bad.answer());
    }
  }

  /** By a thread of the executor. */
  private void handle(Connection connection, HttpRequest request) {
    if (!connection.isOpen()) {
      return; // Nobody waits any more.
    }
    HttpAnswer answer = answerTo(request);
    if (Thread.currentThread() == thread) {
      answer(connection, answer);
    } else {
      finished.add(() -> answer(connection, answer));
      selector.wakeup();
    }
  }

  private HttpAnswer answerTo(HttpRequest request) {
    try {
      return request.method().equals("GET") || request.isHead()
          ? handler.apply(request)
          : HttpAnswer.readOnly();
    } catch (RuntimeException e) {
      LOG.warn("A request on {} could not be answered", thread.getName(), e);
      return HttpAnswer.text(500, "this could not be answered; the operator's log says why");
    }
  }

  private void answer(Connection connection, HttpAnswer answer) {
    if (!connection.isOpen()) {
      return;
    }
    try {
      connection.answer(answer, after(limits.answer()));
      connections.makeRoomForAnswer(connection);
      write(connection);
    } catch (IOException | RuntimeException e) {
      connections.close(connection);
    }
  }

  private void write(Connection connection) throws IOException {
    if (connection.write()) {
      connections.close(connection);
    }
  }

  private static long after(Duration duration) {
    return System.nanoTime() + duration.toNanos();
  }

  private void release() {
    connections.closeAll();
    try {
      server.close();
      selector.close();
    } catch (IOException e) {
      LOG.debug("{} was not closed", thread.getName(), e);
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join(BETWEEN_LOOKS_AT_DEADLINES.multipliedBy(5).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.numaspark.controller.observe;

import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Asks a driver's REST API (Spark's /api/v1) for the attributes that executors registered with.
 *
 * <p>A driver is its owner's program and may answer anything, for ever: connection, headers and
 * body have one deadline together, what is read is bounded, redirects are not followed, no thread
 * waits, and no connection is kept. The JDK's client keeps some of those that it was told to leave.
 *
 * <p>Limit: it needs the driver's web UI to be on and reachable from the operator's pod.
 */
public final class DriverRestClient {
  /** How long an answer may take. */
  public static final Duration DEADLINE = Duration.ofSeconds(3);

  /** Spark writes about 2 KB of an executor, and keeps 100 that have ended. */
  private static final long BYTES = 1 << 20;

  private static final long BYTES_FOR_AN_EXECUTOR = 8 << 10;
  private static final int THREADS = 2;

  private final Duration deadline;
  private final AsynchronousChannelGroup group;
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(1, DriverRestClient::daemon);

  public DriverRestClient() {
    this(DEADLINE);
  }

  DriverRestClient(Duration deadline) {
    this.deadline = deadline;
    deadlines.setRemoveOnCancelPolicy(true);
    try {
      group = AsynchronousChannelGroup.withFixedThreadPool(THREADS, DriverRestClient::daemon);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "driver-answers");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * A driver to ask.
   *
   * @param namespace of its application
   * @param application its name
   * @param sparkAppId Spark's id of the attempt
   * @param address IP address of its pod
   * @param port of its web UI
   */
  public record Driver(
      String namespace, String application, String sparkAppId, String address, int port) {}

  /**
   * The executors of a running driver; always completes, and never exceptionally.
   *
   * @param ids of the executors that are asked for
   */
  public CompletableFuture<ReportedExecutors> executors(Driver driver, Set<String> ids) {
    Optional<String> unfit = unfit(driver);
    if (unfit.isPresent()) {
      return CompletableFuture.completedFuture(new NoAnswer(unfit.get()));
    }
    String silence = "the driver's REST API on port " + driver.port() + " did not answer";
    try {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getByName(driver.address()), driver.port());
      Exchange exchange =
          new Exchange(
              group,
              request(driver),
              new HttpAnswerReader(new ExecutorListReader(ids)),
              BYTES + BYTES_FOR_AN_EXECUTOR * ids.size(),
              silence);
      CompletableFuture<ReportedExecutors> answer = exchange.with(address);
      Future<?> end =
          deadlines.schedule(
              () -> exchange.end(silence + " within " + deadline.toMillis() + " ms"),
              deadline.toMillis(),
              TimeUnit.MILLISECONDS);
      answer.thenRun(() -> end.cancel(false));
      return answer;
    } catch (IOException e) {
      return CompletableFuture.completedFuture(new NoAnswer(silence));
    }
  }

  private static ByteBuffer request(Driver driver) {
    String host = driver.address().contains(":") ? "[" + driver.address() + "]" : driver.address();
    return ByteBuffer.wrap(
        """
        GET /api/v1/applications/%s/allexecutors HTTP/1.1\r
        Host: %s:%d\r
        Accept: application/json\r
        Connection: close\r
        \r
        """
            .formatted(driver.sparkAppId(), host, driver.port())
            .getBytes(StandardCharsets.US_ASCII));
  }

  /** What is wrong with what is known of a driver, if it would lead elsewhere. */
  private static Optional<String> unfit(Driver driver) {
    if (!isAddress(driver.address())) {
      return Optional.of("the driver pod's status has no IP address");
    }
    if (driver.port() < 1 || driver.port() > 65535) {
      return Optional.of("spark.ui.port is " + driver.port() + ", but must be from 1 to 65535");
    }
    return isId(driver.sparkAppId())
        ? Optional.empty()
        : Optional.of("status.sparkApplicationId is not one of the operator's");
  }

  /** Literal, so that no name is resolved. */
  private static boolean isAddress(String address) {
    return address.contains(":")
        ? address
            .chars()
            .allMatch(c -> c == ':' || c == '.' || c < 128 && Character.digit(c, 16) >= 0)
        : isIpV4(address.split("\\.", -1));
  }

  private static boolean isIpV4(String[] parts) {
    return parts.length == 4 && Stream.of(parts).allMatch(DriverRestClient::isByte);
  }

  private static boolean isByte(String part) {
    return part.matches("[0-9]{1,3}") && Integer.parseInt(part) < 256;
  }

  private static boolean isId(String id) {
    return !id.isEmpty()
        && id.chars().allMatch(c -> c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-');
  }

  /**
   * One request to a driver and what it says to it, on a connection that is closed as soon as there
   * is an answer, whatever it is: nothing of it is left then.
   */
  private static final class Exchange {
    private static final int AT_ONCE = 8 << 10;

    private final CompletableFuture<ReportedExecutors> result = new CompletableFuture<>();
    private final ByteBuffer buffer = ByteBuffer.allocate(AT_ONCE);
    private final AsynchronousSocketChannel channel;
    private final ByteBuffer request;
    private final HttpAnswerReader reader;
    private final String silence;
    private long bytesLeft;

    /**
     * An exchange, not begun yet.
     *
     * @param mostBytes of the answer, with its head
     * @param silence what is said of a driver that says nothing
     */
    Exchange(
        AsynchronousChannelGroup group,
        ByteBuffer request,
        HttpAnswerReader reader,
        long mostBytes,
        String silence)
        throws IOException {
      this.channel = AsynchronousSocketChannel.open(group);
      this.request = request;
      this.reader = reader;
      this.silence = silence;
      this.bytesLeft = mostBytes;
    }

    /** What happens next, when something has been done; each of them has a failure in common. */
    private abstract class Then<T> implements CompletionHandler<T, Void> {
      @Override
      public void failed(Throwable error, Void nothing) {
        end(silence);
      }
    }

    private final class Connected extends Then<Void> {
      @Override
      public void completed(Void connected, Void nothing) {
        channel.write(request, null, new Written());
      }
    }

    private final class Written extends Then<Integer> {
      @Override
      public void completed(Integer written, Void nothing) {
        if (request.hasRemaining()) {
          channel.write(request, null, this);
        } else {
          channel.read(buffer, null, new Read());
        }
      }
    }

    private final class Read extends Then<Integer> {
      @Override
      public void completed(Integer read, Void nothing) {
        try {
          take(read);
        } catch (IOException | RuntimeException e) {
          end("the driver's REST API answered no list of executors");
        }
        if (!result.isDone()) {
          channel.read(buffer.clear(), null, this);
        }
      }
    }

    /** Begins; the result is never exceptional. */
    CompletableFuture<ReportedExecutors> with(InetSocketAddress driver) {
      try {
        channel.connect(driver, null, new Connected());
      } catch (RuntimeException e) {
        end(silence); // An address that this machine has no way to.
      }
      return result;
    }

    private void take(int read) throws IOException {
      bytesLeft -= read;
      if (read < 0) {
        throw new IOException("the driver has closed");
      }
      if (bytesLeft < 0) {
        end("the driver's REST API answered with more than its executors need");
        return;
      }
      Optional<ReportedExecutors> answer = reader.read(buffer.array(), read);
      if (answer.isPresent()) {
        end(answer.get());
      } else if (reader.status().isPresent() && reader.status().getAsInt() != 200) {
        end("the driver's REST API answered " + reader.status().getAsInt());
      }
    }

    /** Nothing more is said or heard. */
    void end(String why) {
      end(new NoAnswer(why));
    }

    private void end(ReportedExecutors answer) {
      try {
        channel.close();
      } catch (IOException e) {
        // It is gone either way.
      }
      result.complete(answer);
    }
  }
}

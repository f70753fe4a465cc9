package io.numaspark.controller.observe;

import io.numaspark.controller.observe.ReportedExecutors.NoAnswer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One request to a driver and what it says to it, on a connection that is closed as soon as there
 * is an answer, whatever it is: nothing of it is left then.
 */
final class DriverExchange {
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
  DriverExchange(
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

package io.numaspark.controller.webhook;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reads bodies of requests, of which one has at most 8 MiB: the API server takes objects of 3 MiB,
 * and a review may have two of them.
 *
 * <p>Small bodies are always read. All larger ones at a time have a share of the heap, so that they
 * keep nobody waiting but each other. Limit: a body of unknown length counts as the largest.
 */
final class Bodies {
  static final int MOST_BYTES = 8 << 20;

  /** A review as a tree takes several times its bytes, and all of the heap is not for reviews. */
  private static final int SHARE_OF_HEAP = 16;

  /** More than an executor's pod has; one in each connection is bearable. */
  private static final int SMALL_BYTES = 64 << 10;

  private static final long LONGEST_WAIT_MILLIS = 1000;

  private final Semaphore bytes;

  /** What became of a request. */
  sealed interface Outcome {
    /** The function's answer. */
    record Answered(byte[] answer) implements Outcome {}

    /** There is another answer to it. */
    record Refused(int status, String why) implements Outcome {}

    /** Its end never came. */
    record Broken() implements Outcome {}
  }

  Bodies(long mostBytesAtOnce) {
    bytes = new Semaphore((int) Math.min(Integer.MAX_VALUE, Math.max(MOST_BYTES, mostBytesAtOnce)));
  }

  static Bodies ofThisHeap() {
    return new Bodies(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  /** Reads the body, and gives it to the function while its bytes are counted. */
  Outcome with(Headers headers, InputStream stream, Function<byte[], byte[]> function)
      throws IOException {
    long length = length(headers);
    if (length > MOST_BYTES) {
      return tooLarge();
    }
    int counted = length < 0 ? MOST_BYTES : length <= SMALL_BYTES ? 0 : (int) length;
    if (!acquire(counted)) {
      return new Outcome.Refused(503, "too many large reviews at once; try again");
    }
    try {
      byte[] body = stream.readNBytes(length < 0 ? MOST_BYTES : (int) length);
      if (body.length < length) {
        return new Outcome.Broken();
      }
      return length < 0 && stream.read() >= 0
          ? tooLarge()
          : new Outcome.Answered(function.apply(body));
    } finally {
      bytes.release(counted);
    }
  }

  private static Outcome tooLarge() {
    return new Outcome.Refused(413, "a review may have " + MOST_BYTES + " bytes");
  }

  private boolean acquire(int count) {
    try {
      return bytes.tryAcquire(count, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Negative if the request does not say; the server has checked that it is a number. */
  private static long length(Headers headers) {
    String length = headers.getFirst("Content-Length");
    if (headers.containsKey("Transfer-Encoding")) {
      return -1;
    }
    return length == null ? 0 : Long.parseLong(length);
  }
}

package io.numaspark.controller.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.numaspark.controller.webhook.Bodies.Outcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BodiesTest {
  private static final byte[] BODY = "review".getBytes(StandardCharsets.US_ASCII);

  private final Bodies bodies = new Bodies(0);

  private Outcome with(Headers headers, InputStream body) throws IOException {
    return bodies.with(headers, body, bytes -> bytes);
  }

  private static Headers headers(String name, String value) {
    Headers headers = new Headers();
    headers.set(name, value);
    return headers;
  }

  private static InputStream stream(byte[] body) {
    return new ByteArrayInputStream(body);
  }

  @Test
  void aBodyIsReadToItsLength() throws IOException {
    Outcome outcome = with(headers("Content-Length", "6"), stream(BODY));
    assertThat(((Outcome.Answered) outcome).answer()).isEqualTo(BODY);
    assertThat(with(headers("Content-Length", "7"), stream(BODY))).isEqualTo(new Outcome.Broken());
    Outcome chunked = with(headers("Transfer-Encoding", "chunked"), stream(BODY));
    assertThat(((Outcome.Answered) chunked).answer()).isEqualTo(BODY);
    Outcome none = with(new Headers(), stream(new byte[0]));
    assertThat(((Outcome.Answered) none).answer()).isEmpty();
  }

  @Test
  void aLengthAboveTheLimitIsRefusedUnread() throws IOException {
    InputStream unread =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("it was read");
          }
        };
    assertThat(with(headers("Content-Length", "8388609"), unread))
        .isEqualTo(new Outcome.Refused(413, "a review may have 8388608 bytes"));
    assertThat(with(headers("Content-Length", "9999999999999999"), unread))
        .isEqualTo(new Outcome.Refused(413, "a review may have 8388608 bytes"));
  }

  /** The smallest heap has room for one of the largest, and always for small ones. */
  @Test
  void largeBodiesComeOneAfterTheOther() throws IOException {
    AtomicReference<Outcome> large = new AtomicReference<>();
    AtomicReference<Outcome> small = new AtomicReference<>();
    Headers largest = headers("Content-Length", String.valueOf(Bodies.MOST_BYTES));
    bodies.with(
        largest,
        stream(new byte[Bodies.MOST_BYTES]),
        bytes -> {
          large.set(of(64 * 1024 + 1));
          small.set(of(64 * 1024));
          return bytes;
        });
    assertThat(small.get()).isInstanceOf(Outcome.Answered.class);
    assertThat(large.get())
        .isEqualTo(new Outcome.Refused(503, "too many large reviews at once; try again"));
    assertThat(with(largest, stream(new byte[Bodies.MOST_BYTES])))
        .isInstanceOf(Outcome.Answered.class);
  }

  private Outcome of(int length) {
    try {
      return with(headers("Content-Length", String.valueOf(length)), stream(new byte[length]));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFaultReturnsTheBytes() throws IOException {
    Headers largest = headers("Content-Length", String.valueOf(Bodies.MOST_BYTES));
    for (int i = 0; i < 3; i++) {
      try {
        bodies.with(
            largest,
            stream(new byte[Bodies.MOST_BYTES]),
            bytes -> {
              throw new IllegalStateException("a fault");
            });
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("a fault");
      }
    }
  }
}

package io.numaspark.agent.answer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import javax.net.ssl.HttpsURLConnection;

/**
 * One question over HTTPS and its answer, with one deadline for all of it and a limit to its bytes.
 *
 * <p>The JDK's timeouts begin anew with each packet, so a peer that trickles would keep us for
 * ever. Limit: the name of the peer is resolved without a deadline; addresses are what is asked.
 */
public final class Exchange implements AutoCloseable {
  private static final int BUFFER = 8 * 1024;

  /** One thread for all: on a node where somebody makes all threads there are none is to be had. */
  private static final Timer DEADLINES = new Timer("deadlines", true);

  private final HttpsURLConnection connection;
  private final Duration longest;
  private final TimerTask deadline;
  private volatile boolean late;

  /** Begins to count the time. */
  public Exchange(HttpsURLConnection connection, Duration longest) {
    this.connection = connection;
    this.longest = longest;
    this.deadline =
        new TimerTask() {
          @Override
          public void run() {
            end();
          }
        };
    DEADLINES.schedule(deadline, longest.toMillis());
  }

  private void end() {
    late = true;
    try {
      connection.disconnect();
    } catch (RuntimeException e) {
      // Whatever is wrong with one connection, the timer goes on for the others.
    }
  }

  /** Sends the question; the status that comes back. */
  public int status() throws IOException {
    try {
      int status = connection.getResponseCode();
      checkTime();
      return status;
    } catch (IOException e) {
      throw inTime(e);
    }
  }

  /**
   * The answer's bytes.
   *
   * @throws IOException if there are more than {@code most}, or it is too late
   */
  public byte[] read(InputStream answer, int most) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] part = new byte[BUFFER];
    try {
      for (int count = answer.read(part); count >= 0; count = answer.read(part)) {
        checkTime();
        if (count > most - bytes.size()) {
          throw new TooLargeException(most);
        }
        bytes.write(part, 0, count);
      }
      // A connection that was closed under our hands looks like one that has ended.
      checkTime();
      return bytes.toByteArray();
    } catch (TooLargeException e) {
      throw e;
    } catch (IOException e) {
      throw inTime(e);
    }
  }

  private void checkTime() throws IOException {
    if (late) {
      throw new IOException("the connection was closed");
    }
  }

  /** The answer has more bytes than anybody needs. */
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException(int most) {
      super("the answer has more than " + most + " bytes");
    }
  }

  /** What was wrong, or that it took too long, which is then why. */
  private IOException inTime(IOException e) {
    if (!late) {
      return e;
    }
    IOException timeout = new SocketTimeoutException("no whole answer in " + longest);
    timeout.initCause(e);
    return timeout;
  }

  @Override
  public void close() {
    deadline.cancel();
  }
}

package io.numaspark.controller.fault;

import java.util.concurrent.atomic.AtomicInteger;

/** What goes wrong between a client and the API server. */
public interface Fault {
  Fault NONE = request -> Effect.PASSES;

  /** What happens to one request. */
  Effect on(Request request);

  /** Whether the client's process dies when this many of its writes have been carried out. */
  default boolean diesAfter(int writes) {
    return false;
  }

  /** A request of the client. */
  record Request(String method, String uri) {
    boolean isWrite() {
      return !method.equals("GET");
    }

    boolean isWatch() {
      return uri.contains("watch=true") || uri.contains("watch=1");
    }
  }

  /** What happens to one request; those with a status are answered with it and go no further. */
  enum Effect {
    PASSES(0, ""),
    LOST_REQUEST(0, ""),
    LOST_RESPONSE(0, ""),
    CONFLICT(409, "Conflict"),
    TOO_MANY_REQUESTS(429, "TooManyRequests"),
    INTERNAL_ERROR(500, "InternalError"),
    UNAVAILABLE(503, "ServiceUnavailable");

    private final int status;
    private final String reason;

    Effect(int status, String reason) {
      this.status = status;
      this.reason = reason;
    }

    int status() {
      return status;
    }

    String reason() {
      return reason;
    }
  }

  /** Every n-th write has this effect. */
  static Fault everyNthWrite(int n, Effect effect) {
    AtomicInteger writes = new AtomicInteger();
    return request ->
        request.isWrite() && writes.incrementAndGet() % n == 0 ? effect : Effect.PASSES;
  }

  /** Every n-th request of whatever kind has this effect. */
  static Fault everyNthRequest(int n, Effect effect) {
    AtomicInteger requests = new AtomicInteger();
    return request -> requests.incrementAndGet() % n == 0 ? effect : Effect.PASSES;
  }

  /** The client's process dies right after its n-th write. */
  static Fault deathAfterWrite(int n) {
    return new Fault() {
      @Override
      public Effect on(Request request) {
        return Effect.PASSES;
      }

      @Override
      public boolean diesAfter(int writes) {
        return writes == n;
      }
    };
  }
}

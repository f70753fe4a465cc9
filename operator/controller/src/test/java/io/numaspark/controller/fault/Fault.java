package io.numaspark.controller.fault;

import java.util.Random;

/** What goes wrong between a client and the API server. */
public interface Fault {
  long SEED = 4;

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

  /** One write in n has this effect; at random, as a fixed rhythm may always hit the same write. */
  static Fault oneWriteIn(int n, Effect effect) {
    Random random = new Random(SEED);
    return request -> request.isWrite() && random.nextInt(n) == 0 ? effect : Effect.PASSES;
  }

  /** One request in n, of whatever kind, has this effect. */
  static Fault oneRequestIn(int n, Effect effect) {
    Random random = new Random(SEED);
    return request -> random.nextInt(n) == 0 ? effect : Effect.PASSES;
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

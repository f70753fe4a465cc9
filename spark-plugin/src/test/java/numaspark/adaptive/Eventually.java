package numaspark.adaptive;

import java.util.function.BooleanSupplier;

/** Waits for what happens on other threads; generous, because machines that test are busy. */
final class Eventually {
  private static final long MOST_MILLIS = 30_000;

  private Eventually() {}

  static void until(BooleanSupplier holds) throws InterruptedException {
    long end = System.currentTimeMillis() + MOST_MILLIS;
    while (!holds.getAsBoolean()) {
      if (System.currentTimeMillis() > end) {
        throw new AssertionError("did not happen within " + MOST_MILLIS + " ms");
      }
      Thread.sleep(10);
    }
  }
}

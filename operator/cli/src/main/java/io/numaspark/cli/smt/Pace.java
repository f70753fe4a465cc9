package io.numaspark.cli.smt;

import java.time.Duration;
import java.time.Instant;

/** The time that passes while a node is switched. */
interface Pace {
  Pace OF_THE_CLOCK =
      new Pace() {
        @Override
        public Instant now() {
          return Instant.now();
        }

        @Override
        public void pause(Duration duration) {
          try {
            Thread.sleep(duration.toMillis());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotSwitched("the command was interrupted; run it again to continue");
          }
        }
      };

  Instant now();

  void pause(Duration duration);
}

package io.numaspark.agent.writer;

/** Kills the writer at its n-th step. */
final class CrashPoint {

  private final int at;
  private int steps;

  /**
   * @param at the step, from 0; never if negative
   */
  CrashPoint(int at) {
    this.at = at;
  }

  void step(String what) {
    if (steps++ == at) {
      throw new Killed(what);
    }
  }

  /** What no code catches, as none sees SIGKILL. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(String what) {
      super(what, null, false, false);
    }
  }
}

package io.numaspark.render.picture;

/**
 * Whether an executor is pinned.
 *
 * @param why why not, or why nothing is known; may be empty
 */
public record PinState(Verdict verdict, String why) {

  /** What is known. */
  public enum Verdict {
    /** Nothing runs yet; the planner says what the kubelet will do. */
    PREDICTED("pinned as predicted", ""),
    /** Proven. */
    PINNED("pinned", ""),
    /** Proven not to be. */
    NOT_PINNED("not pinned", "!"),
    /** Nobody has told yet. */
    UNKNOWN("not known to be pinned", "?");

    private final String text;
    private final String mark;

    Verdict(String text, String mark) {
      this.text = text;
      this.mark = mark;
    }

    /** One character that tells it where there is no room for words; empty if all is well. */
    String mark() {
      return mark;
    }
  }

  /** A verdict that needs no explanation. */
  public static PinState of(Verdict verdict) {
    return new PinState(verdict, "");
  }

  /** In words, with the reason. */
  String text() {
    return why.isEmpty() ? verdict.text : verdict.text + ": " + why;
  }
}

package io.numaspark.render.inject;

/** What a profile has for the executors of others now. */
public sealed interface PinningOffer {

  /** Its plan has slots. */
  record Usable(Injection injection) implements PinningOffer {}

  /**
   * Nothing can be pinned by it.
   *
   * @param why with the remedy
   */
  record None(String why) implements PinningOffer {}
}

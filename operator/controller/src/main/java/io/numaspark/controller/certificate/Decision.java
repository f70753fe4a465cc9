package io.numaspark.controller.certificate;

/** What to do with the certificates of a Secret. */
sealed interface Decision {

  /** Everything serves. */
  record Keep() implements Decision {}

  /** A new serving certificate, signed by the authority that is there. */
  record RenewServing(String why) implements Decision {}

  /** A new authority in front of the others in the bundle; the serving certificate stays. */
  record RenewAuthority(String why) implements Decision {}

  /** Both, because nothing that is there can sign or serve. */
  record StartOver(String why) implements Decision {}
}

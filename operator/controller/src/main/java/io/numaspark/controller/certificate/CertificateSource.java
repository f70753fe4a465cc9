package io.numaspark.controller.certificate;

/** Where the webhook's key comes from. */
public interface CertificateSource {

  /**
   * Looks once, and hands what is found to the {@link ServingKeys}. Throws what the API server's
   * client throws; a later look carries on.
   *
   * @return whether all is well; else the next look should come soon
   */
  boolean look();
}

package io.numaspark.controller.certificate;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Optional;

/** The one Secret of a webhook. */
public interface SecretStore {

  /** Its namespace and name, for messages. */
  String name();

  /** As it is in the cluster now; empty if it does not exist. */
  Optional<Secret> read();

  /**
   * Creates the Secret, or replaces the one that was read.
   *
   * @param data all values of the Secret that are the webhook's, in base64
   * @return false if somebody else wrote since it was read, and nothing was written
   */
  boolean write(Optional<Secret> read, Map<String, String> data);
}

package io.numaspark.controller.certificate;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import java.util.Optional;

/** The one configuration that sends pods to the webhook. */
public interface ConfigurationStore {

  /** Its name, for messages. */
  String name();

  /** As it is in the cluster now; empty if it does not exist. */
  Optional<MutatingWebhookConfiguration> read();

  /**
   * Applies a JSON patch.
   *
   * @return why the API server refused it, if the configuration was not what the patch tests
   */
  Optional<String> patch(String patch);
}

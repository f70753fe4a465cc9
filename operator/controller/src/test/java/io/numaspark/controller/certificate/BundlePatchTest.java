package io.numaspark.controller.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import org.junit.jupiter.api.Test;

class BundlePatchTest {
  private static MutatingWebhookConfiguration configuration(String... bundles) {
    MutatingWebhookConfigurationBuilder builder =
        new MutatingWebhookConfigurationBuilder()
            .withNewMetadata()
            .withName("numaspark")
            .withResourceVersion("17")
            .endMetadata();
    for (String bundle : bundles) {
      builder
          .addNewWebhook()
          .withName("a")
          .withNewClientConfig()
          .withCaBundle(bundle)
          .endClientConfig()
          .endWebhook();
    }
    return builder.build();
  }

  @Test
  void onlyBundlesThatDifferAreWritten() {
    assertThat(BundlePatch.of(configuration("b2xk", "bmV3", null), "bmV3"))
        .contains(
            "[{\"op\":\"test\",\"path\":\"/metadata/resourceVersion\",\"value\":\"17\"},"
                + "{\"op\":\"add\",\"path\":\"/webhooks/0/clientConfig/caBundle\",\"value\":\"bmV3\"},"
                + "{\"op\":\"add\",\"path\":\"/webhooks/2/clientConfig/caBundle\",\"value\":\"bmV3\"}]");
  }

  @Test
  void equalBundlesNeedNoPatch() {
    assertThat(BundlePatch.of(configuration("bmV3", "bmV3"), "bmV3")).isEmpty();
    assertThat(BundlePatch.of(configuration(), "bmV3")).isEmpty();
  }
}

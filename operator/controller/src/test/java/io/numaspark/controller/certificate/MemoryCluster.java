package io.numaspark.controller.certificate;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A Secret and a configuration with resource versions, as an API server keeps them. */
public final class MemoryCluster implements SecretStore {
  private Optional<Secret> secret = Optional.empty();
  private Optional<MutatingWebhookConfiguration> configuration = Optional.empty();
  private int version;

  /** Called before each write, once. */
  private Runnable meanwhile = () -> {};

  final List<String> patches = new ArrayList<>();
  int writes;

  @Override
  public String name() {
    return "numaspark-system/numaspark-webhook";
  }

  @Override
  public synchronized Optional<Secret> read() {
    return secret;
  }

  @Override
  public boolean write(Optional<Secret> read, Map<String, String> data) {
    Runnable first;
    synchronized (this) {
      first = meanwhile;
      meanwhile = () -> {};
    }
    first.run();
    return replace(read, data);
  }

  private synchronized boolean replace(Optional<Secret> read, Map<String, String> data) {
    if (!read.map(MemoryCluster::version).equals(secret.map(MemoryCluster::version))) {
      return false;
    }
    put(data);
    writes++;
    return true;
  }

  private static String version(Secret secret) {
    return secret.getMetadata().getResourceVersion();
  }

  /** Somebody else writes the Secret. */
  public synchronized void put(Map<String, String> data) {
    version++;
    secret =
        Optional.of(
            new SecretBuilder(secret.orElseGet(() -> TestCertificates.secret(Map.of())))
                .editMetadata()
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .withData(data)
                .build());
  }

  synchronized void beforeTheNextWrite(Runnable other) {
    meanwhile = other;
  }

  SecretData data() {
    return SecretData.of(read().orElseThrow());
  }

  /** Somebody installs the configuration, without a bundle. */
  public synchronized void configure() {
    configuration =
        Optional.of(
            new MutatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("numaspark")
                .withResourceVersion("1")
                .endMetadata()
                .addNewWebhook()
                .withName("executors.numaspark.io")
                .withNewClientConfig()
                .endClientConfig()
                .endWebhook()
                .build());
  }

  /** What the API server trusts, in base64. */
  public synchronized String caBundle() {
    return configuration.orElseThrow().getWebhooks().get(0).getClientConfig().getCaBundle();
  }

  /** The configuration. */
  public ConfigurationStore configurations() {
    return new ConfigurationStore() {
      @Override
      public String name() {
        return "numaspark";
      }

      @Override
      public Optional<MutatingWebhookConfiguration> read() {
        synchronized (MemoryCluster.this) {
          return configuration;
        }
      }

      @Override
      public Optional<String> patch(String patch) {
        synchronized (MemoryCluster.this) {
          return apply(patch);
        }
      }
    };
  }

  /** As much of a JSON patch as there is. */
  private Optional<String> apply(String patch) {
    MutatingWebhookConfiguration old = configuration.orElseThrow();
    String current = old.getMetadata().getResourceVersion();
    if (!patch.contains("\"value\":\"" + current + "\"")) {
      return Optional.of("the test failed");
    }
    patches.add(patch);
    String bundle = patch.replaceAll("(?s).*/caBundle\",\"value\":\"([^\"]*)\".*", "$1");
    configuration =
        Optional.of(
            new MutatingWebhookConfigurationBuilder(old)
                .editMetadata()
                .withResourceVersion(current + "1")
                .endMetadata()
                .editFirstWebhook()
                .editClientConfig()
                .withCaBundle(bundle)
                .endClientConfig()
                .endWebhook()
                .build());
    return Optional.empty();
  }
}

package io.numaspark.controller.watch;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;

/**
 * Says that one Secret has changed, so that a replica takes what another one wrote within seconds.
 *
 * <p>Limit: it does not say what changed; whoever hears it reads.
 */
public final class SecretWatch implements AutoCloseable {
  private final SharedIndexInformer<Secret> informer;

  /**
   * A watch that has not started.
   *
   * @param changed called by a thread of the client, which it must not keep waiting
   */
  public SecretWatch(KubernetesClient client, String namespace, String name, Runnable changed) {
    // By the name, so that rights on this one Secret are enough.
    informer = client.secrets().inNamespace(namespace).withName(name).runnableInformer(0);
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(Secret secret) {
            changed.run();
          }

          @Override
          public void onUpdate(Secret old, Secret secret) {
            changed.run();
          }

          @Override
          public void onDelete(Secret secret, boolean unknown) {
            changed.run();
          }
        });
    informer.exceptionHandler((started, cause) -> true);
  }

  /** Watches from now on, and until the end whatever the API server does. */
  public void start() {
    informer.start();
  }

  @Override
  public void close() {
    informer.stop();
  }
}

package io.numaspark.controller.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.numaspark.render.application.ApplicationIdentity;
import java.util.List;
import java.util.Optional;

/** The pods of an attempt. */
public interface AttemptPods {

  /** The driver pod as a cache has it, which may lag behind. */
  Optional<Pod> cachedDriver(ApplicationIdentity attempt);

  /** The driver pod as the API server has it now. */
  Optional<Pod> liveDriver(ApplicationIdentity attempt);

  /** The driver pod as it was last seen, if it had ended or was being deleted then. */
  Optional<Pod> lastDriver(ApplicationIdentity attempt);

  /** The executor pods that exist. */
  List<Pod> executors(ApplicationIdentity attempt);

  /** Executor pods that have failed, whether they still exist or not, until they are counted. */
  List<Pod> failedExecutors(ApplicationIdentity attempt);

  /** The failures of these pods are in the status. */
  void counted(ApplicationIdentity attempt, List<Pod> pods);

  /** An attempt has ended, or its application is gone: nothing of it is kept. */
  void forget(String namespace, String sparkAppId);

  /**
   * An application that does not exist any more.
   *
   * @param sparkAppId Spark's id of its last attempt, or of one that has a pod left
   */
  record GoneApplication(String namespace, String name, Optional<String> sparkAppId) {}
}

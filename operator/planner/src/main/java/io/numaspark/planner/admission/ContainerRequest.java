package io.numaspark.planner.admission;

/**
 * What one container of a pod asks for.
 *
 * @param requests with the API server's defaults: a limit without a request is a request too
 *     (defaults.go: SetDefaults_Pod)
 */
public record ContainerRequest(
    String name, Role role, ResourceAmounts requests, ResourceAmounts limits) {

  public ContainerRequest {
    requests = requests.orElse(limits);
  }

  /** When a container runs. */
  public enum Role {
    /** Runs before the others and ends: what it got can be used again by them. */
    INIT,
    /**
     * An init container with restartPolicy Always: starts in the order of init containers, stays.
     */
    SIDECAR,
    APP
  }
}

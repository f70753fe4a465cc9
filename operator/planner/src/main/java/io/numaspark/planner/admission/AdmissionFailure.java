package io.numaspark.planner.admission;

/** A resource manager refuses a container; reason and message are those of the pod's status. */
final class AdmissionFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  private AdmissionFailure(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** A failure that the kubelet has no name for (admission/errors.go: unexpectedAdmissionError). */
  static AdmissionFailure unexpected(String cause) {
    return new AdmissionFailure(
        "UnexpectedAdmissionError", "Allocate failed due to " + cause + ", which is unexpected");
  }

  /** policy_static.go: SMTAlignmentError. */
  static AdmissionFailure smtAlignment(String message) {
    return new AdmissionFailure("SMTAlignmentError", "SMT Alignment Error: " + message);
  }

  /** topology_manager.go: TopologyAffinityError. */
  static AdmissionFailure topologyAffinity() {
    return new AdmissionFailure(
        "TopologyAffinityError", "Resources cannot be allocated with Topology locality");
  }

  /** handlers.go: PodLevelResourcesNotAdmittedReason. */
  static AdmissionFailure podLevelResources() {
    return new AdmissionFailure(
        "PodLevelResourcesNotSupported", "PodLevelResources feature gate is disabled");
  }

  String reason() {
    return reason;
  }
}

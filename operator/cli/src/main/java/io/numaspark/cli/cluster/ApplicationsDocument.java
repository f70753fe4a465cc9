package io.numaspark.cli.cluster;

import io.fabric8.kubernetes.api.model.Condition;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationStatus;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.ExecutorCounts;
import io.numaspark.cli.text.TextColumns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The answer of {@code kubectl numaspark apps}; documented in docs/kubectl.md and kept stable. */
record ApplicationsDocument(List<Application> applications) {
  /** In the place of a state: no operator has looked at the application yet. */
  static final String NEW = "NEW";

  /**
   * One application.
   *
   * @param pinned as the condition Pinned says it, which outlives the executors: True if all are
   *     proven to be pinned, False if one is proven not to be, else Unknown; null if it asks for
   *     none to be
   * @param message why it waits or has failed, or why executors are not pinned; empty if all is
   *     well
   */
  record Application(
      String namespace,
      String name,
      String state,
      String profile,
      int executorsRunning,
      int executorsWanted,
      String pinned,
      String created,
      String message) {}

  static ApplicationsDocument of(List<SparkApplication> applications) {
    return new ApplicationsDocument(
        applications.stream().map(ApplicationsDocument::application).toList());
  }

  private static Application application(SparkApplication application) {
    SparkApplicationStatus status =
        Objects.requireNonNullElse(application.getStatus(), SparkApplicationStatus.empty());
    ExecutorCounts counts = status.executorCounts();
    String profile = application.getSpec().nodeProfile();
    return new Application(
        application.getMetadata().getNamespace(),
        application.getMetadata().getName(),
        status.applicationState() == null ? NEW : status.applicationState().state().name(),
        profile,
        counts == null ? 0 : counts.running(),
        counts == null ? 0 : counts.wanted(),
        profile == null || counts == null ? null : pinned(counts),
        application.getMetadata().getCreationTimestamp(),
        message(status));
  }

  private static String pinned(ExecutorCounts counts) {
    if (counts.notPinned() > 0) {
      return "False";
    }
    return counts.pinned() > 0 && counts.unknown() == 0 ? "True" : "Unknown";
  }

  private static String message(SparkApplicationStatus status) {
    String error =
        status.applicationState() == null ? null : status.applicationState().errorMessage();
    return Stream.of(error, notPinned(status)).filter(Objects::nonNull).findFirst().orElse("");
  }

  private static String notPinned(SparkApplicationStatus status) {
    return Objects.requireNonNullElse(status.conditions(), List.<Condition>of()).stream()
        .filter(condition -> condition.getType().equals("Pinned"))
        .filter(condition -> condition.getStatus().equals("False"))
        .map(condition -> condition.getReason() + ": " + condition.getMessage())
        .findFirst()
        .orElse(null);
  }

  /** As a table. */
  String table(Instant now) {
    if (applications.isEmpty()) {
      return "No applications.\n";
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of("NAMESPACE", "NAME", "STATE", "PROFILE", "EXECUTORS", "PINNED", "AGE", "MESSAGE"));
    for (Application application : applications) {
      rows.add(
          List.of(
              application.namespace(),
              application.name(),
              application.state(),
              Objects.requireNonNullElse(application.profile(), ""),
              application.executorsRunning() + "/" + application.executorsWanted(),
              Objects.requireNonNullElse(application.pinned(), ""),
              Age.of(application.created(), now),
              application.message()));
    }
    return TextColumns.print(rows, Colours::of);
  }
}

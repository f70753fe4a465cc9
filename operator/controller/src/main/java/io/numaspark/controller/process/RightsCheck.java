package io.numaspark.controller.process;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.PrintStream;
import java.util.List;
import java.util.function.Function;

/**
 * Asks the API server whether the service account of this process may do what it should, and may
 * not do what it should not. Its pods are those of {@code helm test}.
 *
 * <p>Everybody may ask this of themselves, so the check needs no right of its own. Limit: it asks
 * the authorizer only; what an admission policy refuses counts as allowed.
 */
public final class RightsCheck {
  /** The word in front of the claims, among the arguments of the operator's process. */
  public static final String COMMAND = "check-rights";

  private static final int AS_CLAIMED = 0;
  private static final int OTHERWISE = 1;
  private static final int NOT_UNDERSTOOD = 2;

  private final Function<ResourceAttributes, SubjectAccessReviewStatus> authorizer;
  private final PrintStream out;

  RightsCheck(Function<ResourceAttributes, SubjectAccessReviewStatus> authorizer, PrintStream out) {
    this.authorizer = authorizer;
    this.out = out;
  }

  /** A check of whom the client speaks for. */
  public static RightsCheck of(KubernetesClient client, PrintStream out) {
    return new RightsCheck(
        question ->
            client
                .authorization()
                .v1()
                .selfSubjectAccessReview()
                .create(
                    new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withResourceAttributes(question)
                        .endSpec()
                        .build())
                .getStatus(),
        out);
  }

  /**
   * Prints a line for each claim, and how many hold.
   *
   * @param claims at least one, as {@link RightsClaim} reads them
   * @return the exit code of the process: 0 if all hold, 1 if not, 2 if one is not understood
   */
  public int run(List<String> claims) {
    List<RightsClaim> understood;
    try {
      understood = claims.stream().map(RightsClaim::of).toList();
    } catch (IllegalArgumentException e) {
      out.println(e.getMessage());
      return NOT_UNDERSTOOD;
    }
    if (understood.isEmpty()) {
      out.println("no rights are given to check; name at least one, for example: may list pods");
      return NOT_UNDERSTOOD;
    }
    long holding = understood.stream().filter(this::holds).count();
    out.println(holding + " of " + understood.size() + " rights are as they should be");
    return holding == understood.size() ? AS_CLAIMED : OTHERWISE;
  }

  private boolean holds(RightsClaim claim) {
    SubjectAccessReviewStatus answer = authorizer.apply(claim.question());
    boolean holds = Boolean.TRUE.equals(answer.getAllowed()) == claim.allowed();
    String reason = answer.getReason() == null ? "" : answer.getReason();
    out.println(
        holds
            ? "ok    " + claim.text()
            : "WRONG "
                + claim.text()
                + (claim.allowed() ? ": it is denied" : ": it is allowed")
                + (reason.isEmpty() ? "" : ", " + reason));
    return holds;
  }
}

package io.numaspark.render.sparkpod;

import io.fabric8.kubernetes.api.model.Capabilities;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.SeccompProfileBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.numaspark.api.v1alpha1.PodFields;
import java.util.List;
import java.util.Objects;

/**
 * The security contexts of a pod and of Spark's container, with defaults for single fields that are
 * not given.
 *
 * <p>Spark's container may not gain privileges, and its system calls are filtered by the runtime's
 * default profile. If the user says that it does not run as root, its capabilities are dropped too,
 * so that the pod fits the restricted Pod Security Standard; an image that runs as root would lose
 * access to files of others that way, which is why it is not done without being told.
 *
 * <p>Limit: sidecars and init containers are left as they are given.
 */
final class Security {
  private Security() {}

  static void apply(Side side, PodFields fields, SparkPod pod) {
    if (FieldPods.isGiven(fields.podSecurityContext())) {
      pod.spec()
          .setSecurityContext(
              ModelReader.read(
                  side.field("podSecurityContext"),
                  fields.podSecurityContext(),
                  PodSecurityContext.class));
    }
    if (FieldPods.isGiven(fields.securityContext())) {
      pod.container()
          .setSecurityContext(
              ModelReader.read(
                  side.field("securityContext"), fields.securityContext(), SecurityContext.class));
    }
    PodSecurityContext ofPod =
        Objects.requireNonNullElse(pod.spec().getSecurityContext(), new PodSecurityContext());
    SecurityContext context =
        Objects.requireNonNullElse(pod.container().getSecurityContext(), new SecurityContext());
    if (context.getAllowPrivilegeEscalation() == null && !isPrivileged(context)) {
      context.setAllowPrivilegeEscalation(false);
    }
    if (context.getSeccompProfile() == null
        && ofPod.getSeccompProfile() == null
        && !Boolean.TRUE.equals(context.getPrivileged())) {
      context.setSeccompProfile(new SeccompProfileBuilder().withType("RuntimeDefault").build());
    }
    if (isNonRoot(context, ofPod)
        && context.getCapabilities() == null
        && !Boolean.TRUE.equals(context.getPrivileged())) {
      context.setCapabilities(new Capabilities(List.of(), List.of("ALL")));
    }
    pod.container().setSecurityContext(context);
  }

  /** The API server refuses allowPrivilegeEscalation: false beside these. */
  private static boolean isPrivileged(SecurityContext context) {
    return Boolean.TRUE.equals(context.getPrivileged())
        || (context.getCapabilities() != null
            && context.getCapabilities().getAdd().contains("CAP_SYS_ADMIN"));
  }

  /** The container's own field wins over the pod's, as for the kubelet. */
  private static boolean isNonRoot(SecurityContext context, PodSecurityContext ofPod) {
    return Boolean.TRUE.equals(
        Objects.requireNonNullElse(
            context.getRunAsNonRoot(), Objects.requireNonNullElse(ofPod.getRunAsNonRoot(), false)));
  }
}

package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.controller.apply.SubmissionResult.Delayed;
import io.numaspark.controller.apply.SubmissionResult.Refused;
import io.numaspark.controller.apply.SubmissionResult.Submitted;
import io.numaspark.render.application.RenderResult.Manifests;
import java.net.HttpURLConnection;

/**
 * Creates what runs an application, in an order and under names that make it safe to repeat.
 *
 * <p>An object that exists already is adopted if the application owns it. The driver pod comes
 * last, so that whoever sees it finds its configuration and Service.
 */
public final class ApplicationSubmitter {
  private final KubernetesClient client;

  public ApplicationSubmitter(KubernetesClient client) {
    this.client = client;
  }

  /** Creates what is missing. */
  public SubmissionResult submit(Manifests manifests) {
    try {
      createOrAdopt(manifests.driverService());
      createOrAdopt(manifests.configuration());
      return new Submitted((Pod) createOrAdopt(manifests.driverPod()));
    } catch (FormerRunException e) {
      return new Delayed(e.getMessage());
    } catch (ForeignObjectException e) {
      return new Refused("NameTaken", e.getMessage());
    } catch (KubernetesClientException e) {
      if (e.getCode() < 400 || e.getCode() >= 500) {
        throw e; // The API server is unwell: the framework retries.
      }
      return new Refused(
          reason(e),
          e.getStatus() == null
              ? e.getMessage()
              : e.getStatus().getMessage() + remedy(e, manifests));
    }
  }

  private HasMetadata createOrAdopt(HasMetadata wanted) {
    try {
      return client.resource(wanted).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      HasMetadata existing = client.resource(wanted).get();
      if (existing == null) {
        throw e; // Deleted in between: the next attempt creates it.
      }
      requireSameOwner(wanted, existing);
      return existing;
    }
  }

  private static void requireSameOwner(HasMetadata wanted, HasMetadata existing) {
    String owner = wanted.getMetadata().getOwnerReferences().get(0).getUid();
    boolean ours =
        existing.getMetadata().getOwnerReferences().stream()
            .anyMatch(reference -> owner.equals(reference.getUid()));
    if (ours) {
      return;
    }
    String object = existing.getKind() + " " + existing.getMetadata().getName();
    if (isOfFormerRun(wanted, existing)) {
      throw new FormerRunException(
          object + " of a deleted application of the same name is still being removed");
    }
    throw new ForeignObjectException(
        object
            + " exists already and belongs to something else; delete it, or give the application another name");
  }

  private static boolean isOfFormerRun(HasMetadata wanted, HasMetadata existing) {
    OwnerReference owner = wanted.getMetadata().getOwnerReferences().get(0);
    return existing.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            reference ->
                owner.getKind().equals(reference.getKind())
                    && owner.getApiVersion().equals(reference.getApiVersion())
                    && owner.getName().equals(reference.getName()));
  }

  private static String reason(KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        ? "SubmissionForbidden"
        : "SubmissionRefused";
  }

  private static String remedy(KubernetesClientException e, Manifests manifests) {
    String account = manifests.driverPod().getSpec().getServiceAccountName();
    if (e.getStatus().getMessage().contains("error looking up service account")) {
      return "; create service account "
          + account
          + " with the rights that docs/drivers.md lists, or name another in spec.driver.serviceAccount";
    }
    return "";
  }

  /** An object of the wanted name that another owner made. */
  private static final class ForeignObjectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignObjectException(String message) {
      super(message);
    }
  }

  /** An object that a deleted application of the same name left behind. */
  private static final class FormerRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FormerRunException(String message) {
      super(message);
    }
  }
}

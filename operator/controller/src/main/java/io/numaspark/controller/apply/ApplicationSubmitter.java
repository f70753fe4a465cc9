package io.numaspark.controller.apply;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.Delayed;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.Refused;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.SubmissionReason;
import io.numaspark.controller.apply.ApplicationSubmitter.SubmissionResult.Submitted;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.text.Labels;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Creates what runs an attempt, in an order and under names that make it safe to repeat.
 *
 * <p>An object that exists already is adopted if the application owns it. The driver pod comes
 * last, so that whoever sees it finds its configuration and Service.
 */
public record ApplicationSubmitter(ObjectStore objects) {
  private static final int TOO_MANY_REQUESTS = 429;

  /** Creates what is missing. */
  public SubmissionResult submit(Manifests manifests) {
    try {
      createOrAdopt(manifests.driverService(), manifests);
      createOrAdopt(manifests.configuration(), manifests);
      manifests.others().forEach(object -> createOrAdopt(object, manifests));
      return new Submitted((Pod) createOrAdopt(manifests.driverPod(), manifests));
    } catch (FormerRunException e) {
      return new Delayed(e.getMessage());
    } catch (ForeignObjectException e) {
      return new Refused(SubmissionReason.NAME_TAKEN, e.getMessage());
    } catch (UnknownKindException e) {
      return new Refused(SubmissionReason.SUBMISSION_REFUSED, e.getMessage());
    } catch (KubernetesClientException e) {
      if (e.getCode() < 400 || e.getCode() >= 500 || e.getCode() == TOO_MANY_REQUESTS) {
        throw e; // The API server is unwell: the framework retries.
      }
      return new Refused(
          reason(e),
          e.getStatus() == null
              ? e.getMessage()
              : e.getStatus().getMessage() + remedy(e, manifests));
    }
  }

  private HasMetadata createOrAdopt(HasMetadata wanted, Manifests manifests) {
    try {
      return objects.create(wanted);
    } catch (KubernetesClientException e) {
      if (isOfUnknownKind(e)) {
        throw new UnknownKindException(
            "the API server serves no %s of %s; install it, or change the operator's setting that needs it"
                .formatted(wanted.getKind(), wanted.getApiVersion()));
      }
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      HasMetadata existing = objects.find(wanted).orElseThrow(() -> again(e));
      requireSameOwner(wanted, existing);
      if (isOfOtherAttempt(wanted, existing)) {
        deleteAttempt(existing);
        throw new FormerRunException(
            describe(existing) + " of an earlier attempt is being removed");
      }
      if (existing.getMetadata().getDeletionTimestamp() != null) {
        throw new FormerRunException(describe(existing) + " is still being removed");
      }
      return isOutdated(wanted, existing, manifests) ? replace(wanted, existing) : existing;
    }
  }

  /** A missing namespace has a status that names it; a missing kind has none, or none that does. */
  private static boolean isOfUnknownKind(KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
        && (e.getStatus() == null
            || e.getStatus().getDetails() == null
            || e.getStatus().getDetails().getKind() == null);
  }

  /**
   * Airflow wants one name for the drivers of all attempts. What has the name is never taken for
   * the new one: it might have ended, and how it ended would be told of an attempt that never ran.
   */
  private static boolean isOfOtherAttempt(HasMetadata wanted, HasMetadata existing) {
    return !Objects.equals(attempt(wanted), attempt(existing));
  }

  private static String attempt(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.<String, String>of())
        .get(Labels.SPARK_APP_SELECTOR);
  }

  /** By the labels: the name may be that of the new one by the time of the request. */
  private void deleteAttempt(HasMetadata existing) {
    objects.deleteAll(
        existing.getApiVersion(),
        existing.getKind(),
        existing.getMetadata().getNamespace(),
        existing.getMetadata().getLabels());
  }

  /** It was deleted in between: another try creates it. */
  private static KubernetesClientException again(KubernetesClientException e) {
    return new KubernetesClientException(e.getMessage(), e);
  }

  /**
   * A submission that was interrupted may have left a configuration that was made from an older
   * plan of the profile. As long as no driver has read it, it is replaced: it cannot be changed.
   */
  private boolean isOutdated(HasMetadata wanted, HasMetadata existing, Manifests manifests) {
    return wanted instanceof ConfigMap newer
        && existing instanceof ConfigMap older
        && !Objects.equals(newer.getData(), older.getData())
        && objects.find(manifests.driverPod()).isEmpty();
  }

  private HasMetadata replace(HasMetadata wanted, HasMetadata existing) {
    objects.delete(existing);
    return objects.create(wanted);
  }

  private static void requireSameOwner(HasMetadata wanted, HasMetadata existing) {
    OwnerReference owner = wanted.getMetadata().getOwnerReferences().get(0);
    boolean ours =
        existing.getMetadata().getOwnerReferences().stream()
            .anyMatch(reference -> owner.getUid().equals(reference.getUid()));
    if (ours) {
      return;
    }
    if (isOfFormerRun(owner, existing)) {
      throw new FormerRunException(
          describe(existing) + " of a deleted application of the same name is still being removed");
    }
    throw new ForeignObjectException(
        describe(existing)
            + " exists already and belongs to something else; delete it, or give the application"
            + " another name");
  }

  private static boolean isOfFormerRun(OwnerReference owner, HasMetadata existing) {
    return existing.getMetadata().getOwnerReferences().stream()
        .anyMatch(
            reference ->
                owner.getKind().equals(reference.getKind())
                    && owner.getApiVersion().equals(reference.getApiVersion())
                    && owner.getName().equals(reference.getName()));
  }

  private static String describe(HasMetadata object) {
    return object.getKind() + " " + object.getMetadata().getName();
  }

  private static SubmissionReason reason(KubernetesClientException e) {
    return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        ? SubmissionReason.SUBMISSION_FORBIDDEN
        : SubmissionReason.SUBMISSION_REFUSED;
  }

  private static String remedy(KubernetesClientException e, Manifests manifests) {
    String account = manifests.driverPod().getSpec().getServiceAccountName();
    boolean missing =
        Optional.ofNullable(e.getStatus().getMessage())
            .filter(message -> message.contains("error looking up service account"))
            .isPresent();
    return missing
        ? "; create service account "
            + account
            + " with the rights that docs/drivers.md lists, or name another in"
            + " spec.driver.serviceAccount"
        : "";
  }

  /** An object of the wanted name that another owner made. */
  private static final class ForeignObjectException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignObjectException(String message) {
      super(message);
    }
  }

  /** The Gateway API, for example, is no part of Kubernetes. */
  private static final class UnknownKindException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnknownKindException(String message) {
      super(message);
    }
  }

  /** An object of the wanted name that is about to go. */
  private static final class FormerRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FormerRunException(String message) {
      super(message);
    }
  }

  /** What submitting an application came to. */
  public sealed interface SubmissionResult {

    /** The driver pod exists, created now or earlier. */
    record Submitted(Pod driver) implements SubmissionResult {}

    /**
     * Objects of a deleted application of the same name, or of an earlier attempt, still exist; the
     * garbage collector or the kubelet takes them away.
     *
     * @param message names the object
     */
    record Delayed(String message) implements SubmissionResult {}

    /**
     * The API server refused an object.
     *
     * @param reason CamelCase
     * @param message names the object, the refusal and the remedy
     */
    record Refused(SubmissionReason reason, String message) implements SubmissionResult {}

    /** Why the API server did not take what runs an attempt. */
    enum SubmissionReason implements StatusReason {
      NAME_TAKEN,
      SUBMISSION_FORBIDDEN,
      SUBMISSION_REFUSED
    }
  }
}

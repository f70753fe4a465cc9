package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.planner.capacity.ExactFit;
import io.numaspark.planner.capacity.ExactFit.DoesNotFit;
import io.numaspark.planner.capacity.ExactFit.Fits;
import io.numaspark.planner.capacity.ExactShape;
import io.numaspark.planner.plan.Pins;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.inject.PinningOffer.None;
import io.numaspark.render.inject.PinningOffer.Usable;
import io.numaspark.render.inject.Review.Pinned;
import io.numaspark.render.inject.Review.Unchanged;
import io.numaspark.render.notes.Notes;
import io.numaspark.render.text.Labels;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides about a new executor pod that some driver creates: one whose size fits the profile's
 * slots gets them, and all others stay as they are.
 *
 * <p>Limit: the driver has counted on this size, so neither CPUs nor memory change, and the entry
 * point stays that of the image.
 */
public record ExecutorPodReview(PinningOffer offer) {
  private static final String REQUEST = "spark.kubernetes.executor.request.cores";
  private static final String LIMIT = "spark.kubernetes.executor.limit.cores";
  private static final String MEMORY = "spark.executor.memory";
  private static final List<String> SPEC = List.of("spec");

  /** Larger than any node, and small enough for an int. */
  private static final BigDecimal MOST_CPUS = BigDecimal.valueOf(1 << 20);

  /** A pod as its driver sent it, or as an earlier call for the same pod left it. */
  public Review created(ObjectNode object) {
    ObjectNode sent = (ObjectNode) InjectionRecord.normal(object);
    ObjectNode pod = sent.deepCopy();
    try {
      takeBack(pod);
      if (asksForSlots(pod)) {
        return new Unchanged();
      }
      return offer instanceof Usable usable
          ? pinned(usable.injection(), pod, sent)
          : InjectionNotes.left(pod, List.of(((None) offer).why()));
    } catch (IllegalArgumentException e) {
      return InjectionNotes.left(sent, List.of(e.getMessage()));
    }
  }

  /** Another webhook may have added a container since, with which nothing is pinned. */
  private static void takeBack(ObjectNode pod) {
    String text = InjectionNotes.of(pod, InjectionRecord.ANNOTATION);
    if (!text.isEmpty()) {
      String field = "metadata.annotations." + InjectionRecord.ANNOTATION;
      InjectionRecord.parse(field, text)
          .undo(pod)
          .ifPresent(
              pointer -> {
                throw new IllegalArgumentException(
                    "%s: %s is not what it says; remove the annotation".formatted(field, pointer));
              });
    }
    InjectionNotes.remove(pod);
  }

  private static boolean asksForSlots(ObjectNode pod) {
    for (JsonNode container : pod.path("spec").path("containers")) {
      for (Map.Entry<String, JsonNode> limit :
          container.path("resources").path("limits").properties()) {
        if (limit.getKey().startsWith(ApiGroup.slotResource(""))) {
          return true;
        }
      }
    }
    return false;
  }

  private static Review pinned(Injection injection, ObjectNode pod, ObjectNode sent) {
    Notes notes = new Notes();
    ProfileContext profile = injection.profile();
    Pins pins = profile.plan().pins();
    if (pins == Pins.NOTHING) {
      return InjectionNotes.left(
          pod,
          List.of(
              "SparkNodeProfile %s: spec.pinning: nothing pins on these nodes; choose Kubelet or Runtime"
                  .formatted(profile.name())));
    }
    ObjectNode result = pod.deepCopy();
    int at = executor(result);
    checkPod(result, at, pins, notes);
    ObjectNode container = (ObjectNode) result.path("spec").path("containers").get(at);
    Optional<Fits> fits = fit(container, at, profile, notes);
    Map<String, String> labels = injection.nodeLabels(notes);
    PodTemplate.addNodeLabels(result, SPEC, labels, notes);
    if (!notes.refusals().isEmpty() || fits.isEmpty()) {
      return InjectionNotes.left(pod, notes.refusals());
    }
    PodTemplate.addTolerations(result, SPEC, profile.tolerations());
    PodTemplate.addSlots(
        container, ApiGroup.slotResource(profile.name()), fits.get().slotsPerExecutor());
    setLimit(container, pins);
    if (pins.byRuntime()) {
      annotate(result, container, profile, fits.get());
    }
    return noted(pod, result, sent, injection, fits.get(), notes);
  }

  private static Review noted(
      ObjectNode pod,
      ObjectNode result,
      ObjectNode sent,
      Injection injection,
      Fits fits,
      Notes notes) {
    String profile = injection.profile().name();
    ManifestField.mapping(result, List.of("metadata", "annotations"))
        .put(InjectionRecord.ANNOTATION, InjectionRecord.between(profile, pod, result).text());
    InjectionNotes.summarize(
        result,
        "the executor keeps its size and has %d %s of profile %s"
            .formatted(
                fits.slotsPerExecutor(), fits.slotsPerExecutor() == 1 ? "slot" : "slots", profile));
    if (!InjectionNotes.fit(result)) {
      return InjectionNotes.left(
          pod,
          List.of("metadata.annotations: have no room for what is injected; remove some of them"));
    }
    return result.equals(sent) ? new Unchanged() : new Pinned(result, notes.warnings());
  }

  /** The place of the container that Spark runs the executor in (KubernetesUtils). */
  private static int executor(ObjectNode pod) {
    JsonNode containers = pod.path("spec").path("containers");
    for (int i = 0; i < containers.size(); i++) {
      if (Labels.EXECUTOR_CONTAINER.equals(containers.get(i).path("name").asText())) {
        return i;
      }
    }
    if (containers.size() != 1) {
      throw new IllegalArgumentException(
          "spec.containers: none of %d is called %s, so it is unknown which one is the executor; set spark.kubernetes.executor.podTemplateContainerName to that name"
              .formatted(containers.size(), Labels.EXECUTOR_CONTAINER));
    }
    return 0;
  }

  private static void checkPod(ObjectNode pod, int executor, Pins pins, Notes notes) {
    JsonNode spec = pod.path("spec");
    PodTemplate rules = PodTemplate.of(pins, notes);
    rules.checkPod(spec, "spec");
    if (spec.hasNonNull("nodeName")) {
      notes.refuse(
          "spec.nodeName",
          "bypasses the scheduler, which counts the slots; select nodes by labels instead");
    }
    rules.checkOthers(spec.path("containers"), "spec.containers", executor);
    rules.checkContainers(spec.path("initContainers"), "spec.initContainers", "");
  }

  /** Its size as it is; empty if a note says why it cannot be pinned. */
  private static Optional<Fits> fit(
      JsonNode container, int at, ProfileContext profile, Notes notes) {
    String field = "spec.containers[%d].resources".formatted(at);
    JsonNode limits = container.path("resources").path("limits");
    JsonNode requests = container.path("resources").path("requests");
    BigDecimal cpu = PodTemplate.quantity(requests, "cpu", field + ".requests");
    BigDecimal cpuLimit = PodTemplate.quantity(limits, "cpu", field + ".limits");
    BigDecimal memory = PodTemplate.quantity(requests, "memory", field + ".requests");
    BigDecimal memoryLimit = PodTemplate.quantity(limits, "memory", field + ".limits");
    if (cpu.signum() <= 0 || cpu.stripTrailingZeros().scale() > 0 || cpu.compareTo(MOST_CPUS) > 0) {
      notes.refuse(
          REQUEST,
          "is %s, and only whole CPUs are pinned; set it to a whole number"
              .formatted(cpu.signum() <= 0 ? "not set" : text(cpu)));
      return Optional.empty();
    }
    if (cpuLimit.compareTo(cpu) > 0) {
      notes.refuse(
          LIMIT,
          "is %s, above the request of %s, so the tasks count on more CPUs than would be pinned; set both to one whole number"
              .formatted(text(cpuLimit), text(cpu)));
      return Optional.empty();
    }
    if (memory.signum() <= 0 || memory.compareTo(memoryLimit) != 0) {
      notes.refuse(
          field + ".limits.memory",
          "differs from the request, so the pod is not Guaranteed; remove what changes it");
      return Optional.empty();
    }
    ExactFit fit = new ExactShape(cpu.intValue(), memory.longValue()).fit(profile.plan());
    if (fit instanceof DoesNotFit misfit) {
      notes.refuse(
          REQUEST + ", " + MEMORY,
          "%s of profile %s; %s".formatted(misfit.reason(), profile.name(), misfit.remedy()));
      return Optional.empty();
    }
    return Optional.of((Fits) fit);
  }

  private static String text(BigDecimal amount) {
    return amount.stripTrailingZeros().toPlainString();
  }

  /** A kubelet pins if it equals the request; where only the runtime pins, it would throttle. */
  private static void setLimit(ObjectNode container, Pins pins) {
    ObjectNode limits = ManifestField.mapping(container, List.of("resources", "limits"));
    if (pins == Pins.RUNTIME) {
      limits.remove("cpu");
    } else {
      limits.set("cpu", container.path("resources").path("requests").path("cpu"));
    }
  }

  private static void annotate(
      ObjectNode pod, JsonNode container, ProfileContext profile, Fits fits) {
    ObjectNode annotations = ManifestField.mapping(pod, List.of("metadata", "annotations"));
    annotations.put(Labels.PIN, profile.name());
    annotations.put(Labels.PIN_SLOTS, String.valueOf(fits.width()));
    int cpus =
        PodTemplate.quantity(container.path("resources").path("requests"), "cpu", "").intValue();
    if (cpus < fits.width() * profile.plan().shape().cpus().cpus()) {
      annotations.put(Labels.PIN_CPUS, String.valueOf(cpus));
    }
  }
}

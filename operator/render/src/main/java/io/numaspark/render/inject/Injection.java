package io.numaspark.render.inject;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.numaspark.api.v1alpha1.ApiGroup;
import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.executors.PinnedExecutors;
import io.numaspark.render.inject.InjectionResult.Injected;
import io.numaspark.render.inject.InjectionResult.Refused;
import io.numaspark.render.notes.Notes;
import io.numaspark.render.text.Labels;
import io.numaspark.render.text.MemorySize;
import io.numaspark.schema.CustomResourceSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gives the executors of a foreign manifest the shape of a profile, with the arithmetic that our
 * own operator uses.
 *
 * @param profile the plan that executors are cut from
 * @param nodes selects the profile's nodes
 * @param withSlots whether executors ask for the profile's slot resource, which the numaspark
 *     operator publishes on nodes
 */
public record Injection(ProfileContext profile, LabelSelector nodes, boolean withSlots) {
  private static final String MAX_FAILURES = "spark.executor.maxNumFailures";

  /** What the user may have decided otherwise, with the consequence of keeping it. */
  private static final Map<String, String> USER_WINS =
      Map.of(
          "spark.executor.defaultJavaOptions",
          "is kept, so the profile's JVM options are not used; remove it to get them",
          MAX_FAILURES,
          "is kept; a pod that a kubelet rejects counts as a failure",
          "spark.executor.failuresValidityInterval",
          "is kept; a pod that a kubelet rejects counts as a failure");

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The manifest with pinned executors. A manifest that was injected before is taken back to what
   * its user wrote first.
   *
   * @throws IllegalArgumentException if a value cannot be read; names the field and the remedy
   */
  public InjectionResult into(ForeignManifest manifest) {
    ObjectNode original = manifest.tree.deepCopy();
    Optional<Refused> edited = takeBack(manifest, original);
    if (edited.isPresent()) {
      return edited.get();
    }
    ForeignManifest result = manifest.with(original.deepCopy());
    Notes notes = new Notes();
    RequestedExecutors wanted = RequestedExecutors.of(result);
    Optional<PinnedExecutors> pinned = split(wanted, Math.max(1, wanted.instances()));
    if (pinned.isEmpty()) {
      return new Refused(
          List.of(
              ("language: a %s application keeps 40 %% of an executor's memory for its workers, which"
                      + " leaves too little heap in the executors of profile %s; raise"
                      + " spec.executor.coresPerExecutor.min of the profile")
                  .formatted(result.language(), profile.name())));
    }
    check(result, wanted, pinned.get(), notes);
    String summary = summary(result, wanted, pinned.get());
    write(result, wanted, notes);
    pinByRuntime(result, notes);
    Map<String, String> nodeLabels = nodeLabels(notes);
    PropertyRules.checkNodeLabels(result, nodeLabels, notes);
    result.place(
        nodeLabels,
        profile.tolerations(),
        withSlots ? Optional.of(ApiGroup.slotResource(profile.name())) : Optional.empty(),
        notes);
    if (!notes.refusals().isEmpty()) {
      return new Refused(notes.refusals());
    }
    InjectionRecord record = InjectionRecord.between(profile.name(), original, result.tree);
    result.mark().write(result.tree, record.text());
    return new Injected(result.tree, summary, notes.warnings(), result.podTemplate());
  }

  /** Why pods of a manifest would not be pinned, whatever the size of its executors. */
  List<String> refusals(ForeignManifest manifest) {
    Notes notes = new Notes();
    manifest.checkContradictions(RequestedExecutors.READ, notes);
    manifest.check(profile.plan().pins(), notes);
    return notes.refusals();
  }

  private void check(
      ForeignManifest manifest, RequestedExecutors wanted, PinnedExecutors pinned, Notes notes) {
    manifest.checkContradictions(RequestedExecutors.READ, notes);
    manifest.check(profile.plan().pins(), notes);
    PropertyRules.check(manifest, memory(pinned), notes);
    checkTaskCpus(manifest, wanted, pinned, notes);
  }

  private static Optional<Refused> takeBack(ForeignManifest manifest, ObjectNode tree) {
    ManifestField mark = manifest.mark();
    String text = mark.read(tree);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String field = ManifestField.name(mark.path());
    List<String> parent = mark.path().subList(0, mark.path().size() - 1);
    ((ObjectNode) ManifestField.at(tree, parent)).remove(mark.path().get(parent.size()));
    if (!parent.isEmpty() && ManifestField.at(tree, parent).isEmpty()) {
      ((ObjectNode) ManifestField.at(tree, parent.subList(0, parent.size() - 1)))
          .remove(parent.get(parent.size() - 1));
    }
    return InjectionRecord.parse(field, text)
        .undo(tree)
        .map(
            pointer ->
                new Refused(
                    List.of(
                        "%s: %s was edited after the injection, so what is wanted is unclear; "
                                .formatted(field, pointer)
                            + "undo the edit, or remove "
                            + field
                            + " to split the executors as they stand now")));
  }

  private Optional<PinnedExecutors> split(RequestedExecutors wanted, int instances) {
    Map<String, Object> executor =
        Map.of(
            "instances", instances,
            "cores", wanted.cores(),
            "memory", wanted.memory(),
            "javaOptions", wanted.javaOptions());
    SparkApplicationSpec part =
        JSON.convertValue(
            Map.of("type", wanted.language(), "executor", executor), SparkApplicationSpec.class);
    return PinnedExecutors.of(
        CustomResourceSchema.of(SparkApplication.class)
            .withDefaults("spec", part, SparkApplicationSpec.class),
        profile);
  }

  /** As many executors of the profile's shape as a number of the user's come to. */
  private int converted(RequestedExecutors wanted, int instances) {
    return instances == 0 ? 0 : split(wanted, instances).orElseThrow().executors().instances();
  }

  private static ExecutorMemory memory(PinnedExecutors pinned) {
    return pinned.executors().pinned().orElseThrow().memory();
  }

  private static void checkTaskCpus(
      ForeignManifest manifest, RequestedExecutors wanted, PinnedExecutors pinned, Notes notes) {
    int taskCpus = wanted.taskCpus();
    int slots = pinned.executors().taskSlots();
    if (taskCpus > slots) {
      notes.refuse(
          manifest.field(RequestedExecutors.TASK_CPUS),
          "a task needs %d cores, but an executor of the profile has %d; lower it or use a profile with larger executors"
              .formatted(taskCpus, slots));
    } else if (slots % taskCpus != 0) {
      notes.warn(
          manifest.field(RequestedExecutors.TASK_CPUS),
          "%d of the %d cores of every executor stay idle".formatted(slots % taskCpus, slots));
    }
  }

  private void write(ForeignManifest manifest, RequestedExecutors wanted, Notes notes) {
    wanted
        .counts()
        .forEach(
            (property, count) -> manifest.set(property, String.valueOf(converted(wanted, count))));
    SortedMap<String, String> conf =
        new TreeMap<>(split(wanted, wanted.most()).orElseThrow().sparkConf());
    if (wanted.unbounded()) {
      // Without a largest number of executors Spark allows any number of failures.
      conf.remove(MAX_FAILURES);
    }
    for (String key : List.of(RequestedExecutors.REQUEST, RequestedExecutors.LIMIT)) {
      manifest
          .get(key)
          .filter(old -> !old.equals(conf.get(key)))
          .ifPresent(
              old ->
                  notes.warn(
                      manifest.field(key),
                      conf.containsKey(key)
                          ? "was " + old + " and becomes " + conf.get(key)
                          : "was "
                              + old
                              + " and is removed: a CPU limit would throttle executors"));
    }
    if (wanted.instances() > 0) {
      manifest.set(
          RequestedExecutors.INSTANCES, String.valueOf(converted(wanted, wanted.instances())));
    }
    for (String key :
        List.of(
            RequestedExecutors.CORES,
            RequestedExecutors.REQUEST,
            RequestedExecutors.LIMIT,
            RequestedExecutors.MEMORY,
            RequestedExecutors.OVERHEAD)) {
      String value = conf.remove(key);
      if (value == null) {
        manifest.remove(key); // where the runtime pins, there is no limit
      } else {
        manifest.set(key, value);
      }
    }
    conf.forEach((key, value) -> setUnlessDecided(manifest, key, value, notes));
  }

  /** What the pinner of a node reads of a pod; kubelets need nothing of the kind. */
  private void pinByRuntime(ForeignManifest manifest, Notes notes) {
    if (!profile.plan().pins().byRuntime()) {
      return;
    }
    String field = "SparkNodeProfile " + profile.name() + ": spec.pinning";
    if (!withSlots) {
      notes.refuse(
          field,
          "the container runtime pins on these nodes, and it needs the numaspark operator with its slots; leave --no-slots"
              + " out, or configure the kubelets");
      return;
    }
    manifest.set(PropertyRules.EXECUTOR_ANNOTATION + Labels.PIN, profile.name());
    manifest.set(PropertyRules.EXECUTOR_ANNOTATION + Labels.PIN_SLOTS, "1");
    notes.warn(
        field,
        "the container runtime pins these executors, if the chart's agent.pinner.enabled is set");
  }

  private static void setUnlessDecided(
      ForeignManifest manifest, String key, String value, Notes notes) {
    Optional<String> old = USER_WINS.containsKey(key) ? manifest.get(key) : Optional.empty();
    if (old.isEmpty()) {
      manifest.set(key, value);
    } else if (!old.get().equals(value)) {
      notes.warn(manifest.field(key), USER_WINS.get(key));
    }
  }

  /** What the profile's nodes are selected by, as far as it is a list of labels. */
  Map<String, String> nodeLabels(Notes notes) {
    Map<String, String> labels =
        new LinkedHashMap<>(Objects.requireNonNullElse(nodes.getMatchLabels(), Map.of()));
    for (LabelSelectorRequirement expression :
        Objects.requireNonNullElse(
            nodes.getMatchExpressions(), List.<LabelSelectorRequirement>of())) {
      boolean single =
          "In".equals(expression.getOperator())
              && expression.getValues() != null
              && expression.getValues().size() == 1;
      if (single) {
        labels.put(expression.getKey(), expression.getValues().get(0));
      } else {
        notes.warn(
            "SparkNodeProfile " + profile.name() + ": spec.nodeSelector.matchExpressions",
            "%s %s is not a node label; add it to the executors' affinity"
                .formatted(expression.getKey(), expression.getOperator()));
      }
    }
    return labels;
  }

  private String summary(
      ForeignManifest manifest, RequestedExecutors wanted, PinnedExecutors pinned) {
    String before = "%d cores and %s".formatted(wanted.cores(), wanted.memory());
    String after =
        "%d cores and %s, pinned by profile %s%s"
            .formatted(
                pinned.executors().taskSlots(),
                MemorySize.toSpark(pinned.executors().heapBytes()),
                profile.name(),
                profile.plan().pins().byRuntime() ? " through the container runtime" : "");
    return wanted.instances() == 0
        ? "%s: executors of %s become executors of %s".formatted(manifest.name(), before, after)
        : "%s: %d x %s become %d x %s"
            .formatted(
                manifest.name(), wanted.instances(), before, pinned.executors().instances(), after);
  }
}

package io.numaspark.render.sparktrial;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.numaspark.api.v1alpha1.PinningSpec;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.api.v1alpha1.SparkTrialSpec.Variant;
import io.numaspark.api.v1alpha1.TrialPermission;
import io.numaspark.api.v1alpha1.TrialPermission.Part;
import io.numaspark.schema.CustomResourceSchema;
import io.numaspark.schema.Violation;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The spec of a profile as a trial has it planned.
 *
 * <p>Limit: only parts that the profile's own {@code spec.trials.mayChange} has, because whoever
 * may create a trial need not be somebody who may write profiles.
 */
public final class ProfileVariant {
  private static final ObjectMapper JSON =
      new ObjectMapper().setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL);
  private static final Set<Part> USUAL =
      EnumSet.of(Part.pinning, Part.executor, Part.jvm, Part.smt);

  private ProfileVariant() {}

  /**
   * The spec with a variant's patch.
   *
   * @throws IllegalArgumentException naming the field that is wrong and the remedy
   */
  public static SparkNodeProfileSpec of(SparkNodeProfileSpec profile, Variant variant) {
    JsonNode patch = variant.profile();
    if (patch == null || patch.isNull()) {
      return profile;
    }
    checkParts(profile, patch);
    ObjectNode object = JSON.createObjectNode();
    object.putObject("metadata").put("name", "profile");
    object.set("spec", MergePatch.apply(JSON.valueToTree(profile), patch));
    List<Violation> violations = CustomResourceSchema.of(SparkNodeProfile.class).check(object);
    if (!violations.isEmpty()) {
      throw new IllegalArgumentException("profile: " + Violation.text(violations));
    }
    return JSON.convertValue(object.get("spec"), SparkNodeProfileSpec.class);
  }

  private static void checkParts(SparkNodeProfileSpec profile, JsonNode patch) {
    Set<String> allowed =
        Optional.ofNullable(profile.trials())
            .map(TrialPermission::mayChange)
            .map(Set::copyOf)
            .orElse(USUAL)
            .stream()
            .map(Part::name)
            .collect(Collectors.toCollection(TreeSet::new));
    patch
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!allowed.contains(field)) {
                throw new IllegalArgumentException(
                    "profile.%s: the profile lets trials change %s; add it to the profile's spec.trials.mayChange if it is one of %s, or leave it out"
                        .formatted(field, String.join(", ", allowed), List.of(Part.values())));
              }
            });
  }

  /** Whether nothing is pinned under a spec. */
  public static boolean isObserved(SparkNodeProfileSpec profile) {
    return profile.pinning() != null && profile.pinning().mode() == PinningSpec.Mode.Observe;
  }
}

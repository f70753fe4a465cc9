package io.numaspark.cli;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.numaspark.api.v1alpha1.SparkNodeProfile;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;

/** The profile that stands for none: every field has its default, and every node is its own. */
final class DefaultProfile {
  /** What is said of it. */
  static final String NOTE =
      "there is no SparkNodeProfile in the files, so one with default values is used; write your own and add it with -f";

  private DefaultProfile() {}

  /** A new one. */
  static SparkNodeProfile make() {
    SparkNodeProfile profile = new SparkNodeProfile();
    profile.setMetadata(new ObjectMetaBuilder().withName("default").build());
    profile.setSpec(
        new SparkNodeProfileSpec(
            new LabelSelector(), null, null, null, null, null, null, null, null, null, null));
    return profile;
  }
}

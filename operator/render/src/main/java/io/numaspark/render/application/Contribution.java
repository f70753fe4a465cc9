package io.numaspark.render.application;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.numaspark.render.conf.Setting;
import io.numaspark.render.conf.Settings;
import java.util.List;

/**
 * What one concern adds to an attempt.
 *
 * @param properties Spark properties
 * @param driver additions to the driver pod
 * @param executor additions to the executors' pod template
 * @param objects to be created before the driver pod
 * @param warnings one sentence each, with the field and the remedy
 */
public record Contribution(
    List<Setting> properties,
    PodAdditions driver,
    PodAdditions executor,
    List<HasMetadata> objects,
    List<String> warnings) {
  public static final Contribution NONE =
      new Contribution(List.of(), PodAdditions.NONE, PodAdditions.NONE, List.of(), List.of());

  public static Contribution of(Settings settings) {
    return NONE.with(settings);
  }

  public static Contribution ofWarnings(List<String> warnings) {
    return NONE.withWarnings(warnings);
  }

  Contribution with(Settings settings) {
    return new Contribution(settings.list(), driver, executor, objects, warnings);
  }

  public Contribution withDriver(PodAdditions additions) {
    return new Contribution(properties, additions, executor, objects, warnings);
  }

  public Contribution withExecutor(PodAdditions additions) {
    return new Contribution(properties, driver, additions, objects, warnings);
  }

  public Contribution withObjects(List<? extends HasMetadata> created) {
    return new Contribution(properties, driver, executor, List.copyOf(created), warnings);
  }

  public Contribution withWarnings(List<String> given) {
    return new Contribution(properties, driver, executor, objects, given);
  }
}

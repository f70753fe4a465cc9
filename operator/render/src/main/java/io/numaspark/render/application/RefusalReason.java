package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.StatusReason;

/** Why an application is refused before anything of it is created. */
public enum RefusalReason implements StatusReason {
  SPEC_INVALID,
  SPARK_CONF_REFUSED,
  JVM_OPTION_REFUSED,
  SPARK_PLUGIN_MISSING,
  SHARED_PAGES_MISSING,
  NOT_GRANTED,
  EXECUTOR_MEMORY_TOO_SMALL,
  EXECUTOR_HEAP_TOO_LARGE,
  EXECUTOR_DOES_NOT_FIT
}

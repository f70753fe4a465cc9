package io.numaspark.render.application;

import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.planner.jvm.MemoryPolicy;
import java.util.Locale;

/** What Spark derives from the language of an application. */
public final class SparkLanguage {
  private SparkLanguage() {}

  /** Spark's word for the language (MainAppResource); R is lower case too. */
  public static String resourceType(Type type) {
    return type == Type.Scala ? "java" : type.name().toLowerCase(Locale.ROOT);
  }

  /** Spark's default (BasicDriverFeatureStep: defaultOverheadFactor). */
  public static String overheadFactor(Type type) {
    return type == Type.Python || type == Type.R
        ? String.valueOf(MemoryPolicy.NON_JVM_OVERHEAD_FACTOR)
        : "0.1";
  }
}

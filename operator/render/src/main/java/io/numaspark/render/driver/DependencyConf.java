package io.numaspark.render.driver;

import io.numaspark.api.v1alpha1.Dependencies;
import io.numaspark.api.v1alpha1.SparkApplicationSpec;
import io.numaspark.api.v1alpha1.SparkApplicationSpec.Type;
import io.numaspark.render.application.Concern;
import io.numaspark.render.application.Contribution;
import io.numaspark.render.application.Request;
import io.numaspark.render.conf.Settings;
import java.util.List;

/** The application's jars, files and packages (spec.deps), as spark-submit lists them. */
public final class DependencyConf implements Concern {
  private static final String JARS = "spark.jars";
  private static final String PACKAGES = "spark.jars.packages";

  /** Spark's word for a class that is in the image (SparkLauncher.NO_RESOURCE). */
  private static final String NO_RESOURCE = "spark-internal";

  @Override
  public Contribution contribution(Request request) {
    Settings settings = new Settings();
    SparkApplicationSpec spec = request.spec();
    Dependencies deps = spec.deps();
    if (deps != null) {
      settings.field("spec.deps.jars").append(JARS, deps.jars());
      settings.field("spec.deps.files").append("spark.files", deps.files());
      settings.field("spec.deps.archives").append("spark.archives", deps.archives());
      settings.field("spec.deps.pyFiles").append("spark.submit.pyFiles", deps.pyFiles());
      settings.field("spec.deps.packages").append(PACKAGES, deps.packages());
      settings
          .field("spec.deps.excludePackages")
          .append("spark.jars.excludes", deps.excludePackages());
      settings
          .field("spec.deps.repositories")
          .append("spark.jars.repositories", deps.repositories());
    }
    boolean packages = deps != null && deps.packages() != null && !deps.packages().isEmpty();
    if (packages || request.userConf().containsKey(PACKAGES)) {
      // The default is below the user's home, which Spark's images do not have.
      settings.derived("a folder that images have").put("spark.jars.ivy", "/tmp/.ivy2");
    }
    boolean ownJar = !spec.mainApplicationFile().equals(NO_RESOURCE);
    if (ownJar && (spec.type() == Type.Java || spec.type() == Type.Scala)) {
      // Executors find the application's classes there, as after Spark's own submission.
      settings.field("spec.mainApplicationFile").append(JARS, List.of(spec.mainApplicationFile()));
    }
    return Contribution.of(settings);
  }
}

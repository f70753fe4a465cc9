package io.numaspark.e2e;

/** Manifests of applications that run the example job. */
final class Applications {
  static final String MAIN_CLASS = "io.numaspark.examples.PinnedPi";
  static final String SMALL_DRIVER = "driver: {memory: 600m, coreRequest: 100m}";

  private Applications() {}

  /** The fields that an application cannot do without, and further lines of its spec. */
  static String of(String name, String mainClass, String moreOfSpec) {
    return """
        apiVersion: numaspark.io/v1alpha1
        kind: SparkApplication
        metadata: {name: %s}
        spec:
          type: Java
          image: numaspark/spark:4.3.0
          imagePullPolicy: Never
          mainClass: %s
          mainApplicationFile: local:///opt/spark/examples/jars/numaspark-examples.jar
        %s
        """
        .formatted(name, mainClass, moreOfSpec.indent(2));
  }

  /** An unpinned application whose pods all run on the node that is not emulated. */
  static String ordinary(String name, String mainClass) {
    return of(
        name,
        mainClass,
        SMALL_DRIVER
            + """

            arguments: ["2"]
            executor:
              instances: 1
              cores: 1
              memory: 512m
              coreRequest: 100m
              nodeSelector: {numaspark.io/lab: native}
            """);
  }
}

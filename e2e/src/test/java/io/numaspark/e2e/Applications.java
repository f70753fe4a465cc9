package io.numaspark.e2e;

/** Manifests of small applications whose pods all run on the node that is not emulated. */
final class Applications {
  private Applications() {}

  /** An ordinary application with one executor; further lines of its spec may be given. */
  static String ordinary(String name, String mainClass, String more) {
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
          arguments: ["2"]
          executor:
            instances: 1
            cores: 1
            memory: 512m
            coreRequest: 100m
            nodeSelector: {numaspark.io/lab: native}
        %s
        """
        .formatted(name, mainClass, more.indent(2));
  }

  static String ordinary(String name) {
    return ordinary(name, "io.numaspark.examples.PinnedPi", DRIVER);
  }

  static final String DRIVER = "driver: {memory: 600m, coreRequest: 100m}";
}

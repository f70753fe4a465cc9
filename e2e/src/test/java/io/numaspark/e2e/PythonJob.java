package io.numaspark.e2e;

/**
 * A Python program that pinned executors run until a test has seen enough: the program looks for
 * the file {@value #ENOUGH} of the driver.
 *
 * @param application name of the application, and of the ConfigMap with the program
 * @param source of the program
 */
record PythonJob(String application, String source) {
  static final String ENOUGH = "/tmp/enough";

  /** Creates the ConfigMap. */
  void apply() {
    Lab.apply(
            """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: %s-job}
            data:
              job.py: |
            %s
            """
                .formatted(application, source.indent(4)))
        .orFail();
  }

  /** The application with that many executors, pinned by the demo's profile. */
  String manifest(int executors) {
    return Applications.pinned(application, Applications.SPARK, "none", executors, "[]")
        .replace("type: Java", "type: Python")
        .replaceAll(" *mainClass: none\n", "")
        .replaceAll("local:///.*", "local:///opt/job/job.py")
        .replace(
            "driver: {",
            "driver: {configMaps: [{name: " + application + "-job, path: /opt/job}], ");
  }

  /** Lets the program end. */
  void end() {
    Lab.kubectl(
            "exec",
            application + "-driver",
            "--container=spark-kubernetes-driver",
            "--",
            "touch",
            ENOUGH)
        .orFail();
  }
}

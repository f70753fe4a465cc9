package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.numaspark.e2e.job.Greeting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A package of a Maven repository inside the cluster, which the driver fetches for all. */
@Order(9)
@Tag("lifecycle")
class PackagesE2E {
  private static final String NAME = "packages";
  private static final Duration START = Duration.ofMinutes(10);

  /** BusyBox serves a ConfigMap in the layout of a repository. */
  private static final String REPOSITORY =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: e2e-repository}
      data:
        pom: |
          <project>
            <modelVersion>4.0.0</modelVersion>
            <groupId>org.example</groupId>
            <artifactId>greeting</artifactId>
            <version>1.0</version>
          </project>
        greet.py: |
          from pyspark.sql import SparkSession
          spark = SparkSession.builder.getOrCreate()
          call = "java_method('io.numaspark.e2e.job.Greeting', 'greet') as word"
          for row in spark.range(0, 2, 1, 2).selectExpr(call).distinct().collect():
              print("GREETING", row.word, flush=True)
      binaryData: {jar: %s}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: e2e-repository}
      spec:
        terminationGracePeriodSeconds: 0
        nodeSelector: {numaspark.io/lab: native}
        containers:
          - name: main
            image: numaspark/busybox:1
            imagePullPolicy: Never
            command: [busybox, httpd, -f, -v, -p, "8080", -h, /repository]
            volumeMounts: [{name: files, mountPath: /repository}]
        volumes:
          - name: files
            configMap:
              name: e2e-repository
              items:
                - {key: jar, path: org/example/greeting/1.0/greeting-1.0.jar}
                - {key: pom, path: org/example/greeting/1.0/greeting-1.0.pom}
      """;

  @AfterEach
  void cleanUp() {
    Lab.delete("sparkapplications.numaspark.io", NAME);
    Applications.awaitNoPods(NAME);
    Lab.delete("pod", "e2e-repository");
    Lab.delete("configmap", "e2e-repository");
  }

  @Test
  void executorsHaveAPackageOfARepositoryInTheCluster() throws IOException {
    Lab.apply(REPOSITORY.formatted(Base64.getEncoder().encodeToString(jar()))).orFail();
    JsonNode server =
        Lab.awaitObject(
            "pod",
            "e2e-repository",
            START,
            pod -> pod.at("/status/phase").asText().equals("Running"));
    Lab.apply(
            Applications.python(
                    NAME,
                    Applications.SPARK,
                    "none",
                    """
                    deps:
                      packages: ["org.example:greeting:1.0"]
                      repositories: ["http://%s:8080"]
                    """
                        .formatted(server.at("/status/podIP").asText()))
                .replaceAll("local:///.*", "local:///opt/job/greet.py")
                .replace(
                    "driver: {", "driver: {configMaps: [{name: e2e-repository, path: /opt/job}], "))
        .orFail();
    Applications.awaitCompleted(NAME, START);
    assertThat(Applications.driverLines(NAME, "GREETING "))
        .containsExactly("GREETING " + Greeting.greet());
  }

  private static byte[] jar() throws IOException {
    String entry = Greeting.class.getName().replace('.', '/') + ".class";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream jar = new JarOutputStream(bytes);
        InputStream compiled = Greeting.class.getClassLoader().getResourceAsStream(entry)) {
      jar.putNextEntry(new ZipEntry(entry));
      compiled.transferTo(jar);
      jar.closeEntry();
    }
    return bytes.toByteArray();
  }
}

package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A heap in explicit huge pages, which one NUMA node has. */
@Order(24)
@Tag("huge-pages")
class HugePagesE2E {
  private static final String KIND = "sparkapplications.numaspark.io";
  private static final String NAME = "huge-pages";
  private static final String NUMA_NODE = "1";
  private static final Duration START = Duration.ofMinutes(12);

  /** The application runs a minute. */
  private static final Duration TOUCH = Duration.ofSeconds(45);

  private static final int PAGES = 512; // of 2 MiB
  private static final int HEAP_PAGES = 384;

  @BeforeEach
  void oneNumaNodeHasHugePages() {
    setPages(PAGES);
    Lab.awaitObject(
        "node",
        NodeTools.NODE,
        START,
        node -> node.at("/status/allocatable/hugepages-2Mi").asText().equals("1Gi"));
    Applications.applyProfile();
    await("a slot").atMost(START).until(() -> Applications.publishedSlots().matches("[1-9]"));
  }

  @AfterEach
  void cleanUp() {
    Lab.delete(KIND, NAME);
    Applications.awaitNoPods(NAME);
    setPages(0);
  }

  @Test
  void theHeapIsInHugePagesOfTheExecutorsNumaNode() {
    Lab.apply(
            Applications.pinned(
                    NAME, Applications.SPARK, Applications.MAIN_CLASS, 1, "[\"4\", \"60\"]")
                .replace(
                    "instances: 1",
                    """
                    instances: 1
                        javaOptions: -XX:+UseLargePages
                        template:
                          spec:
                            containers:
                              - name: spark-kubernetes-executor
                                resources: {requests: {hugepages-2Mi: 900Mi}, limits: {hugepages-2Mi: 900Mi}}"""))
        .orFail();
    JsonNode application =
        Lab.awaitObject(
            KIND,
            NAME,
            START,
            app ->
                app.at("/status/executorCounts/pinned").asInt() == 1
                    || app.at("/status/executorCounts/notPinned").asInt() > 0
                    || Lab.state(app).equals("FAILED"));
    JsonNode executor = application.at("/status/executors/0");
    assertThat(executor.path("pinned").asText())
        .as(application.path("status").toPrettyString())
        .isEqualTo("True");
    assertThat(executor.path("numaNode").asText()).isEqualTo(NUMA_NODE);
    // The JVM touches its heap when it starts, and the agent may have looked before it was done.
    await("pages of the heap")
        .atMost(TOUCH)
        .until(() -> PAGES - freePages(), pages -> pages >= HEAP_PAGES);
    Applications.awaitCompleted(NAME, START);
  }

  private static int freePages() {
    return Integer.parseInt(NodeTools.run("cat " + folder() + "/free_hugepages"));
  }

  /** The kubelet counts huge pages at its start, and compares them with its state. */
  private static void setPages(int pages) {
    NodeTools.run(
        "systemctl stop kubelet; echo %d > %s/nr_hugepages;".formatted(pages, folder())
            + " rm -f /var/lib/kubelet/cpu_manager_state /var/lib/kubelet/memory_manager_state;"
            + " systemctl start kubelet; cat %s/nr_hugepages".formatted(folder()));
    await("kubelet is back")
        .atMost(START)
        .until(
            () -> Lab.condition(Lab.get("node", NodeTools.NODE), "Ready").path("status").asText(),
            "True"::equals);
  }

  private static String folder() {
    return "/sys/devices/system/node/node" + NUMA_NODE + "/hugepages/hugepages-2048kB";
  }
}

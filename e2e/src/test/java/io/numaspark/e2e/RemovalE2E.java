package io.numaspark.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Removes numaspark by the very commands of docs/install.md, after which node and cluster are as if
 * it had never been there.
 *
 * <p>Limit: leaves the lab without numaspark, so it is the last test of a lab.
 */
@Order(30)
@Tag("removal")
class RemovalE2E {
  private static final Duration LONG = Duration.ofMinutes(8);
  private static final String SWAPPINESS = "/proc/sys/vm/swappiness";

  /** The lab's own. */
  private static final String LABEL_OF_THE_LAB = "numaspark.io/lab";

  @Test
  void theCommandsOfTheDocumentTakeEverythingBack() throws IOException {
    String swappiness = NodeTools.run("cat " + SWAPPINESS);
    assertThat(swappiness).isNotEqualTo("1");
    Lab.enforceStandard("privileged");
    Lab.upgradeRelease("--set=agent.enforce=true").orFail();
    Applications.applyProfile();
    Applications.patchMemory("{\"mode\": \"Enforce\", \"swappiness\": 1}");
    await("the knob").atMost(LONG).until(() -> NodeTools.run("cat " + SWAPPINESS).equals("1"));
    assertThat(Releases.objectsOf("numaspark")).isNotEmpty();

    List<String> commands = commandsOfTheDocument();
    assertThat(commands).hasSizeGreaterThan(5);
    commands.forEach(RemovalE2E::follow);

    assertThat(NodeTools.run("cat " + SWAPPINESS)).isEqualTo(swappiness);
    Releases.awaitNothingOf("numaspark");
    JsonNode node = Lab.get("node", NodeTools.NODE);
    for (String part : List.of("/metadata/labels", "/metadata/annotations")) {
      node.at(part)
          .fieldNames()
          .forEachRemaining(
              key -> {
                if (!key.equals(LABEL_OF_THE_LAB)) {
                  assertThat(key).doesNotContain("numaspark");
                }
              });
    }
    assertThat(node.path("status").toString()).doesNotContain("slots.numaspark.io");
    assertThat(
            Lab.kubectl("get", "leases", "--namespace=numaspark-system", "--output=name")
                .orFail()
                .out())
        .isEmpty();
    assertThat(Lab.kubectl("get", "crds", "--output=name").orFail().out())
        .doesNotContain("numaspark.io");
  }

  /** A command that only looks is followed until it prints nothing. */
  private static void follow(String command) {
    List<String> words = List.of("bash", "-c", "cd '" + Lab.REPOSITORY + "' && " + command);
    if (command.startsWith("kubectl get")) {
      await(command).atMost(LONG).until(() -> Lab.run(words, "").out().isEmpty());
    } else {
      Lab.run(words, "").orFail();
    }
  }

  private static List<String> commandsOfTheDocument() throws IOException {
    return Files.readString(Lab.REPOSITORY.resolve("docs/install.md"))
        .split("\n## Remove, ")[1]
        .split("```(sh)?\n")[1]
        .lines()
        .toList();
  }
}

package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.agent.knob.KnobVerdict;
import io.numaspark.agent.kubelet.KubeletException;
import io.numaspark.agent.proof.KernelReason;
import io.numaspark.api.v1alpha1.StatusReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the table of docs/agent.md to the reasons that an agent can give. */
class AgentReasonTest {

  @Test
  void everyReasonHasAnEntryAndEveryEntryIsAReason() throws IOException {
    Set<String> documented =
        Files.readString(Path.of("../../docs/agent.md"))
            .lines()
            .filter(
                line -> line.matches("[|] (TopologyRead|PinningRead|KnobsApplied|PagesSwept)\\W.*"))
            .map(line -> line.split("[|]")[1])
            .flatMap(cell -> Pattern.compile("`(\\w+)`").matcher(cell).results())
            .map(result -> result.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(documented).containsExactlyInAnyOrderElementsOf(reasons());
  }

  private static Set<String> reasons() {
    Stream<String> own =
        Stream.<StatusReason[]>of(AgentReason.values(), KernelReason.values())
            .flatMap(Arrays::stream)
            .map(StatusReason::displayName);
    Stream<String> ofKubelet =
        Arrays.stream(KubeletException.Reason.values())
            .flatMap(reason -> Stream.of("Kubelet" + reason, "PodResources" + reason));
    // An applied knob is not a trouble, and one that is only observed lacks a writer.
    Stream<String> ofKnobs =
        Arrays.stream(KnobVerdict.values())
            .filter(verdict -> verdict != KnobVerdict.Observed)
            .map(KnobVerdict::name);
    return Stream.of(own, ofKubelet, ofKnobs)
        .flatMap(reason -> reason)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

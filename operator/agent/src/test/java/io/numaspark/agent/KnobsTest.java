package io.numaspark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.numaspark.agent.knob.KnobObserver;
import io.numaspark.agent.knob.Processor;
import io.numaspark.agent.knob.WriterClient;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.api.v1alpha1.WantedKnobs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Without a writer; with one, the child process of the writer's own tests and the lab are asked.
 */
class KnobsTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final List<ExclusiveContainer> NOBODY = List.of();

  @TempDir Path root;
  private KnobObserver observer;

  @BeforeEach
  void makeAKernel() throws IOException {
    Files.createDirectories(root.resolve("proc/sys/vm"));
    Files.writeString(root.resolve("proc/sys/vm/swappiness"), "60\n");
    observer = new KnobObserver(root, new Processor("GenuineIntel", 6, 62, false, null));
  }

  @Test
  void comparesWhatItCannotSet() {
    Knobs.Report report = look(Optional.empty(), wanted(Map.of("memory.swappiness", "1"), true));
    assertThat(report.failure()).isEmpty();
    assertThat(report.states()).hasSize(1);
    KnobState swappiness = report.states().get(0);
    assertThat(swappiness.actual()).isEqualTo("60");
    assertThat(swappiness.state()).isEqualTo("Observed");
    KnobsCondition condition =
        KnobsCondition.of(Optional.of(wanted(Map.of("memory.swappiness", "1"), true)), report)
            .orElseThrow();
    assertThat(condition.status()).isEqualTo("False");
    assertThat(condition.reason()).isEqualTo("NoWriter");
    assertThat(condition.message()).contains("agent.enforce=true");
  }

  @Test
  void saysOfAKnobThatItDoesNotKnowThatItIsUnsupported() {
    Knobs.Report report =
        look(
            Optional.empty(),
            wanted(Map.of("prefetch.ofTheFuture", "Disabled", "memory.swappiness", "60"), false));
    assertThat(report.states())
        .extracting(KnobState::name, KnobState::state)
        .containsExactlyInAnyOrder(
            tuple("prefetch.ofTheFuture", "Unsupported"), tuple("memory.swappiness", "Observed"));
  }

  @Test
  void hasNoConditionWhereNothingIsToBeSet() {
    WantedKnobs compared = wanted(Map.of("memory.swappiness", "1"), false);
    assertThat(KnobsCondition.of(Optional.of(compared), look(Optional.empty(), compared)))
        .isEmpty();
    assertThat(KnobsCondition.of(Optional.empty(), new Knobs.Report(List.of(), Optional.empty())))
        .isEmpty();
  }

  @Test
  void saysThatItsWriterDoesNotAnswer() {
    WriterClient nobody = new WriterClient(root.resolve("writer.sock"), Duration.ofSeconds(1));
    WantedKnobs wanted = wanted(Map.of("memory.swappiness", "1"), true);
    Knobs.Report report = look(Optional.of(nobody), wanted);
    KnobsCondition condition = KnobsCondition.of(Optional.of(wanted), report).orElseThrow();
    assertThat(condition.status()).isEqualTo("Unknown");
    assertThat(condition.reason()).isEqualTo("WriterNotAnswering");
    assertThat(report.states()).as("nobody has said that anything was put back").isEmpty();
  }

  private Knobs.Report look(Optional<WriterClient> writer, WantedKnobs wanted) {
    return new Knobs(observer, writer).look(Optional.of(wanted), NOBODY, NOW);
  }

  private static WantedKnobs wanted(Map<String, String> settings, boolean enforced) {
    return new WantedKnobs(
        "profile",
        WantedKnobs.Scope.Node,
        settings,
        enforced ? List.copyOf(settings.keySet()) : List.of());
  }
}

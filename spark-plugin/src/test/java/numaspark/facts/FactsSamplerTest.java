package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import numaspark.facts.ExecutorFacts.Pages;
import numaspark.facts.ExecutorFacts.Pressure;
import numaspark.facts.ExecutorFacts.RunQueue;
import numaspark.facts.ExecutorFacts.Tasks;
import numaspark.facts.FakeMachine.FakeJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FactsSamplerTest {
  @TempDir Path folder;
  private final FakeJvm jvm = new FakeJvm();
  private final Concurrency concurrency = new Concurrency(jvm::nanoTime);

  private FactsSampler sampler(FakeMachine machine) {
    return new FactsSampler("7", "host", machine.roots(), jvm, concurrency);
  }

  @Test
  void sharesAreOfTheIntervalBetweenTwoSamples() {
    FakeMachine machine =
        new FakeMachine(folder)
            .nodes(2, 2)
            .allowed("2", "1")
            .thread(1, 0, 0)
            .write("self/cgroup", "0::/\n")
            .write("cgroups/cgroup.controllers", "")
            .write("cgroups/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_usec 500000\n")
            .write("cgroups/cpu.pressure", "some total=1000000\n")
            .write("self/numa_maps", "a default N0=1 N1=3 kernelpagesize_kB=4\n");
    FactsSampler sampler = sampler(machine);
    ExecutorFacts first = sampler.sample(false);
    assertThat(first.placement().numaNodes()).isEqualTo("1");
    assertThat(first.interval()).isNull();
    assertThat(first.gcShare()).isNull();
    assertThat(first.cpuTime()).isNull();
    assertThat(first.tasks()).isNull();
    assertThat(first.pressure()).isNull();
    assertThat(first.pages()).isNull();

    concurrency.starts();
    concurrency.starts();
    jvm.nanoTime = 5_000_000_000L;
    concurrency.ends();
    jvm.nanoTime = 10_000_000_000L;
    jvm.cpuNanos = 4_000_000_000L;
    jvm.gcPauseMillis = 500;
    machine.thread(1, 3_000_000_000L, 1_000_000_000L);
    machine.write("cgroups/cpu.pressure", "some total=3000000\n");
    ExecutorFacts second = sampler.sample(true);

    assertThat(second.interval()).isEqualTo(10);
    assertThat(second.cpuTime()).isEqualTo(4);
    assertThat(second.gcShare()).isEqualTo(0.05);
    assertThat(second.tasks()).isEqualTo(new Tasks(1.5, 2));
    assertThat(second.runQueue()).isEqualTo(new RunQueue(3, 1));
    assertThat(second.pressure()).isEqualTo(new Pressure(0.2, null, null));
    assertThat(second.pages()).isEqualTo(new Pages(3 * 4096, 4096));
    assertThat(second.throttling().seconds()).isEqualTo(0.5);
    assertThat(sampler.sample(false).pages()).isEqualTo(second.pages());
  }

  @Test
  void onAMachineWithoutAnythingEverythingIsUnknownAndNothingIsZero() {
    jvm.cpuNanos = -1;
    FactsSampler sampler = sampler(new FakeMachine(folder));
    sampler.sample(true);
    jvm.nanoTime = 1_000_000_000L;
    ExecutorFacts facts = sampler.sample(true);
    assertThat(facts.placement().cpus()).isNull();
    assertThat(facts.pages()).isNull();
    assertThat(facts.runQueue()).isNull();
    assertThat(facts.throttling()).isNull();
    assertThat(facts.pressure()).isNull();
    assertThat(facts.cpuTime()).isNull();
    assertThat(facts.unread()).isNotEmpty().allMatch(reason -> reason.contains(": "));
  }

  @Test
  void aMessageIsSmall() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(sampler(new FakeMachine(folder)).sample(true));
    }
    assertThat(bytes.size()).isLessThan(4096);
  }
}

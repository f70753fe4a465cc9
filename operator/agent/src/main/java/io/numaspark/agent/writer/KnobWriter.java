package io.numaspark.agent.writer;

import io.numaspark.agent.knob.Knob;
import io.numaspark.agent.knob.KnobSettings;
import io.numaspark.agent.knob.Processor;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.KnobState;
import io.numaspark.planner.topology.CpuSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Sets what is wanted, puts back what is not wanted any more, and reads both back.
 *
 * <p>Two things are never lost, whatever happens in between: what a cell was before the writer
 * first changed it, and that it was changed. Limit: one request at a time.
 */
final class KnobWriter {

  private static final System.Logger LOG = System.getLogger(KnobWriter.class.getName());

  private final Machine machine;
  private final Processor processor;
  private final Ledger ledger;
  private final Applier applier;
  private final Release release;
  private final Map<Knob, KnobMemory> memories = new EnumMap<>(Knob.class);
  private KnobSettings wish = KnobSettings.NONE;
  private CpuSet cores;
  private boolean closed;

  KnobWriter(Machine machine, Processor processor, OriginalsStore store) {
    this.machine = machine;
    this.processor = processor;
    this.ledger = new Ledger(store, machine);
    this.applier = new Applier(machine, ledger, processor.hypervisor());
    this.release = new Release(machine, processor, ledger);
  }

  /**
   * Goes on with a restore that was interrupted; anything else waits for a request.
   *
   * @throws IOException if it cannot be said what was changed
   */
  synchronized List<KnobState> resume() throws IOException {
    return ledger.open().restoring() ? restore() : List.of();
  }

  /**
   * Sets what is wanted, and puts back everything else that was set.
   *
   * @param wanted values by knob
   * @param wantedCores CPUs whose cores' prefetchers are set; null for all
   * @return a state for each wanted knob, and for each that was put back
   * @throws IllegalArgumentException if a CPU is not on this machine; nothing is changed then
   * @throws IOException if the machine's CPUs cannot be read, or the writer has ended
   */
  synchronized List<KnobState> apply(KnobSettings wanted, CpuSet wantedCores) throws IOException {
    requireOpen();
    requirePresent(wantedCores);
    Survey survey = Survey.of(machine, processor, wanted, wantedCores);
    wish = wanted;
    cores = wantedCores;
    memories.keySet().retainAll(wanted.values().keySet());
    wanted.values().forEach(this::remember);
    try {
      ledger.open();
      ledger.setRestoring(false);
    } catch (IOException e) {
      List<KnobState> states = new ArrayList<>();
      wanted.values().forEach((knob, it) -> states.add(States.failed(knob, it, e.getMessage())));
      return states;
    }
    Trouble trouble = new Trouble();
    List<KnobState> released =
        release.putBack(
            survey.unwanted(ledger.open()), survey.online(), memories.keySet(), trouble);
    List<KnobState> states = write(survey.targets(), trouble);
    states.addAll(survey.unsupported());
    states.addAll(released);
    return states;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the writer is ending: ask the next one");
    }
  }

  private void requirePresent(CpuSet wantedCores) throws IOException {
    if (wantedCores == null) {
      return;
    }
    CpuSet present = machine.presentCpus();
    CpuSet strange = wantedCores.minus(present);
    if (!strange.isEmpty()) {
      throw new IllegalArgumentException(
          "cpus: " + strange + " is not on this machine: write some of " + present);
    }
  }

  private void remember(Knob knob, String value) {
    KnobMemory memory = memories.get(knob);
    if (memory == null || !memory.wanted().equals(value)) {
      memories.put(knob, new KnobMemory(value));
    }
  }

  private List<KnobState> write(List<Target> targets, Trouble trouble) {
    Reading before = Reading.of(machine, targets);
    Map<Target, List<Cell>> needs = new LinkedHashMap<>();
    Map<Target, Probe> probes = new LinkedHashMap<>();
    for (Target target : targets) {
      Probe probe = Probe.of(target, before, machine);
      probes.put(target, probe);
      List<Cell> cells =
          probe instanceof Probe.Supported
              ? memories.get(target.knob()).toWrite(before.unmet(target))
              : List.of();
      if (!cells.isEmpty()) {
        needs.put(target, cells);
      }
    }
    if (!needs.isEmpty()) {
      applier.apply(needs, before, trouble);
    }
    Reading after = Reading.of(machine, targets);
    List<KnobState> states = new ArrayList<>();
    for (Target target : targets) {
      states.add(written(target, probes.get(target), after, trouble));
    }
    return states;
  }

  private KnobState written(Target target, Probe probe, Reading after, Trouble trouble) {
    KnobMemory memory = memories.get(target.knob());
    List<Cell> unmet = after.unmet(target);
    boolean given = memory.hasGivenUp(unmet);
    String message = trouble.message(target.knob());
    if (message == null && probe instanceof Probe.VerifyOnly verifyOnly) {
      message = verifyOnly.message();
    }
    if (message == null && !given && !unmet.isEmpty()) {
      message = "it has changed again at once: find out what else writes it";
    }
    memory.prove(target, after, message);
    if (probe instanceof Probe.Unreadable unreadable) {
      return States.unreadable(target, after, unreadable);
    }
    if (given && message == null) {
      return States.drifted(target, after, memory.driftMessage());
    }
    return States.wanted(target, after, trouble.cells(target.knob()), message);
  }

  /**
   * Puts everything back that was set.
   *
   * @return a state for each knob that was set
   * @throws IOException if it cannot be said what was changed, or the writer has ended
   */
  synchronized List<KnobState> restore() throws IOException {
    requireOpen();
    wish = KnobSettings.NONE;
    cores = null;
    memories.clear();
    Map<Cell, Long> masks = new TreeMap<>();
    ledger.open().cells().forEach((cell, saved) -> masks.put(cell, saved.mask()));
    try {
      ledger.setRestoring(true);
    } catch (IOException e) {
      // After a crash this restore would have to be asked for again; that is not a reason to leave
      // the knobs changed now.
      LOG.log(System.Logger.Level.WARNING, "{0}: {1}", ledger.file(), e.getMessage());
    }
    return release.putBack(masks, machine.onlineCpus(), Set.of(), new Trouble());
  }

  /**
   * Puts everything back, and takes no request any more.
   *
   * @throws IOException as {@link #restore}
   */
  synchronized List<KnobState> close() throws IOException {
    List<KnobState> states = closed ? List.of() : restore();
    closed = true;
    return states;
  }

  /**
   * Reads back what is wanted, and what is changed though nobody has said yet whether it is wanted;
   * writes nothing.
   *
   * @throws IOException if the machine's CPUs or the originals cannot be read, or the writer has
   *     ended
   */
  synchronized List<KnobState> status() throws IOException {
    requireOpen();
    Originals originals = ledger.open();
    Survey survey = Survey.of(machine, processor, wish, cores);
    Reading reading = Reading.of(machine, survey.targets());
    List<KnobState> states = new ArrayList<>();
    for (Target target : survey.targets()) {
      states.add(read(target, reading));
    }
    states.addAll(survey.unsupported());
    states.addAll(release.leftOver(survey.unwanted(originals)));
    return states;
  }

  private KnobState read(Target target, Reading reading) {
    if (Probe.of(target, reading, machine) instanceof Probe.Unreadable unreadable) {
      return States.unreadable(target, reading, unreadable);
    }
    KnobMemory memory = memories.get(target.knob());
    if (memory.hasDrifted(reading.unmet(target))) {
      return States.drifted(target, reading, memory.driftMessage());
    }
    String message =
        memory.failure() == null && !reading.unmet(target).isEmpty()
            ? "some CPUs have come online since it was set: ask for apply"
            : memory.failure();
    return States.wanted(target, reading, Set.of(), message);
  }
}

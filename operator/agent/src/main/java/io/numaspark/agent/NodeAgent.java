package io.numaspark.agent;

import io.numaspark.agent.KubeletSettingsSource.Answer;
import io.numaspark.agent.Pinning.Look;
import io.numaspark.agent.cluster.ApiException;
import io.numaspark.agent.cluster.OwnTopology;
import io.numaspark.agent.knob.KnobObserver;
import io.numaspark.agent.knob.ProcessorReader;
import io.numaspark.agent.knob.WriterClient;
import io.numaspark.agent.kubelet.PodResourcesClient;
import io.numaspark.agent.pages.PagesFolders;
import io.numaspark.agent.proof.CgroupReader;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologySpec;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.AgentCondition;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus.ExclusiveContainer;
import io.numaspark.planner.sysfs.NodeReading;
import io.numaspark.render.topology.TopologyDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The reader's loop: looks at the node when something may have changed, and writes what has.
 *
 * <p>One thread does all of it but sweep shared pages; two others only wake it. It asks nobody more
 * often than every two seconds, and looks at least every half a minute.
 */
final class NodeAgent {
  private static final System.Logger LOG = System.getLogger(NodeAgent.class.getName());
  private static final Duration LOOK = Duration.ofSeconds(30);

  /**
   * After an event the next looks come sooner: the containers of a new pod start after its cgroup.
   */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** A machine may have some hundred CPUs, each with registers to be written and read back. */
  private static final Duration WRITER_TIMEOUT = Duration.ofSeconds(30);

  private final AgentConfig config;
  private final String version;
  private final Clock clock;
  private final Signal signal;
  private final OwnTopology topology;
  private final Hardware hardware;
  private final KubeletSettingsSource kubelet;
  private final Pinning pinning;
  private final Knobs knobs;
  private final String bootId;
  private Long actedOn = 0L;
  private SparkNodeTopologyStatus written;
  private Instant writtenAt = Instant.EPOCH;
  private List<AgentCondition> conditions = List.of();
  private Duration look = SOON;

  NodeAgent(AgentConfig config, String version, Clock clock, Signal signal) throws IOException {
    this.config = config;
    this.version = version;
    this.clock = clock;
    this.signal = signal;
    this.topology = new OwnTopology(config.cluster(), config.node());
    this.hardware = new Hardware(config.root(), config.dmi());
    this.kubelet = new KubeletSettingsSource(config.configz(), config.podResources());
    this.pinning =
        new Pinning(
            new PodResourcesClient(config.podResources(), AgentConfig.SOCKET_TIMEOUT),
            new CgroupReader(config.cgroup()));
    this.knobs =
        new Knobs(
            new KnobObserver(config.root(), ProcessorReader.read(config.root())),
            config.writerSocket().map(socket -> new WriterClient(socket, WRITER_TIMEOUT)));
    this.bootId = bootId(config.root());
  }

  /** Works until the signal is stopped. */
  void run() throws IOException, InterruptedException {
    Thread watch = null;
    Thread pages = null;
    try (PodEvents events = PodEvents.start(config.cgroup(), signal)) {
      while (!signal.isStopped()) {
        events.register();
        Duration pause = look;
        try {
          if (!isAlive(watch)) {
            topology.refresh();
          }
          Duration quiet = step();
          pause = quiet.compareTo(look) < 0 ? quiet : look;
          if (!isAlive(watch)) {
            watch = start("own-topology", this::watch);
            LOG.log(System.Logger.Level.INFO, "node {0} is read", config.node());
          }
        } catch (IOException e) {
          LOG.log(
              System.Logger.Level.WARNING, "again in {0} s: {1}", look.toSeconds(), e.getMessage());
        } catch (RuntimeException e) {
          // Whatever the node says that nobody has thought of: the next look may go well.
          LOG.log(System.Logger.Level.ERROR, "again in {0} s: {1}", look.toSeconds(), e);
        }
        if (config.pages().isPresent() && !isAlive(pages)) {
          pages = start("pages", this::lookAfterPages);
        }
        look = signal.await(SOON, pause) ? SOON : Signal.twice(look, LOOK);
      }
    }
  }

  private static boolean isAlive(Thread thread) {
    return thread != null && thread.isAlive();
  }

  private static Thread start(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** In a thread of its own, because tenants may make one step of it last. */
  private void lookAfterPages() {
    try {
      while (!signal.isStopped()) {
        Thread.sleep(config.pages().get().look(clock.instant()).toMillis());
      }
    } catch (InterruptedException e) {
      // The agent ends.
    }
  }

  /** Looks once and writes what is due; how long there is nothing to write. */
  private Duration step() throws IOException {
    Instant now = clock.instant();
    Conditions found = new Conditions(conditions, now);
    Look look;
    try {
      NodeReading reading = hardware.read(now);
      describe(reading, kubelet.read(now), found);
      look = pinning.look(reading.topology(), now);
    } catch (HardwareException e) {
      found.put(
          Conditions.TOPOLOGY_READ,
          Conditions.FALSE,
          AgentReason.HARDWARE_NOT_READ,
          e.getMessage());
      look =
          new Look.Failed(
              AgentReason.HARDWARE_NOT_READ, "without its CPUs nothing can be said of the node");
    }
    String allocatable = null;
    List<ExclusiveContainer> exclusive = List.of();
    if (look instanceof Look.Seen seen) {
      allocatable = seen.allocatable().toString();
      exclusive = seen.exclusive();
      found.put(
          Conditions.PINNING_READ,
          Conditions.TRUE,
          AgentReason.READ,
          seen.omitted() == 0 ? "" : seen.omitted() + " containers more than the list can hold");
    } else if (look instanceof Look.Failed failed) {
      found.put(Conditions.PINNING_READ, Conditions.FALSE, failed.reason(), failed.message());
    }
    OwnTopology.Wishes wishes = topology.wishes();
    Knobs.Report report = knobs.look(wishes.knobs(), exclusive, now);
    if (report.failure().isEmpty()) {
      actedOn = wishes.generation();
    }
    KnobsCondition.of(wishes.knobs(), report).ifPresent(verdict -> verdict.putInto(found));
    config.pages().flatMap(PagesFolders::troubled).ifPresent(names -> putPages(names, found));
    conditions = found.all();
    return writeStatus(
        new SparkNodeTopologyStatus(
            actedOn,
            now.truncatedTo(ChronoUnit.SECONDS).toString(),
            version,
            bootId,
            allocatable,
            exclusive,
            report.states(),
            conditions),
        now);
  }

  /** Without counts, which would be another status after each sweep. */
  private static void putPages(List<String> troubled, Conditions found) {
    if (troubled.isEmpty()) {
      found.put(Conditions.PAGES_SWEPT, Conditions.TRUE, AgentReason.SWEPT, "");
    } else {
      found.put(
          Conditions.PAGES_SWEPT,
          Conditions.FALSE,
          AgentReason.NOT_SWEPT,
          "something in the folders of the namespaces "
              + String.join(", ", troubled)
              + " cannot be looked at or deleted: the log of the agent says what");
    }
  }

  /** Writes what the node is, as far as that is known. */
  private void describe(NodeReading reading, Answer settings, Conditions found) throws IOException {
    SparkNodeTopologySpec spec = TopologyDocument.spec(reading, kubeletSpec(settings));
    if (!topology.hasSpec(spec)) {
      try {
        if (topology.writeSpec(spec)) {
          written = null;
        }
      } catch (ApiException e) {
        if (!e.refusesContent()) {
          throw e;
        }
        // The rest can be told nevertheless.
        found.put(
            Conditions.TOPOLOGY_READ, Conditions.FALSE, AgentReason.SPEC_REFUSED, e.getMessage());
        return;
      }
      LOG.log(System.Logger.Level.INFO, "the topology of node {0} is written", config.node());
    }
    if (settings instanceof Answer.Failed failed) {
      found.put(Conditions.TOPOLOGY_READ, Conditions.FALSE, failed.reason(), failed.message());
    } else {
      found.put(Conditions.TOPOLOGY_READ, Conditions.TRUE, AgentReason.READ, "");
    }
  }

  private static KubeletSpec kubeletSpec(Answer settings) {
    return settings instanceof Answer.Settings known ? known.spec() : null;
  }

  private Duration writeStatus(SparkNodeTopologyStatus status, Instant now) throws IOException {
    Instant due = StatusPace.due(written, writtenAt, status);
    if (now.isBefore(due)) {
      return Duration.between(now, due);
    }
    topology.writeStatus(status);
    pinning.written();
    written = status;
    writtenAt = now;
    // Some milliseconds each five minutes; the heap would grow to its limit before the JVM does so.
    System.gc();
    return LOOK;
  }

  private void watch() {
    Duration pause = SOON;
    while (!signal.isStopped()) {
      try {
        topology.watch(signal::raise);
        pause = SOON;
      } catch (IOException e) {
        boolean usual = e instanceof ApiException refusal && refusal.gone();
        LOG.log(
            usual ? System.Logger.Level.DEBUG : System.Logger.Level.WARNING,
            "watching begins anew: {0}",
            e.getMessage());
      } catch (RuntimeException e) {
        LOG.log(System.Logger.Level.ERROR, "watching begins anew: {0}", e);
      }
      try {
        Thread.sleep(pause.toMillis());
        pause = Signal.twice(pause, LOOK);
        topology.refresh();
        signal.raise();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "the API server: {0}", e.getMessage());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static String bootId(Path root) throws IOException {
    Path file = root.resolve("proc/sys/kernel/random/boot_id");
    return Files.exists(file) ? Files.readString(file).trim() : "";
  }
}

package io.numaspark.render.shuffle;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static io.numaspark.render.text.MemorySize.GIB;
import static io.numaspark.render.text.MemorySize.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.Grants;
import io.numaspark.render.application.PluginPolicy;
import io.numaspark.render.application.ProfileContext;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import io.numaspark.render.application.UiPolicy;
import io.numaspark.render.executors.PinnedShape;
import io.numaspark.render.fixture.Renderings;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What spec.shuffle makes of executors: their memory, their volumes and their properties. */
class ShuffleStorageTest {
  private static final PluginPolicy SHARING =
      new PluginPolicy(
          PluginPolicy.ASSUMED.jar(),
          false,
          new PluginPolicy.SharedPages("pages", Set.of("default")));

  @Test
  void diskChangesNothing() {
    assertThat(Renderings.ordinary("shuffle: {}").sparkConf())
        .isEqualTo(Renderings.ordinary().sparkConf());
    assertThat(Renderings.ordinary("shuffle: {storage: Disk}").configuration().getData())
        .isEqualTo(Renderings.ordinary().configuration().getData());
  }

  @Test
  void theTmpfsIsAsLargeAsWhatIsAddedToThePod() {
    Manifests without = Renderings.ordinary("executor: {memory: 4g}");
    Manifests with =
        Renderings.ordinary(
            "executor: {memory: 4g}", "shuffle: {storage: Memory, size: 1500000000}");
    long bytes = 1431 * MIB; // 1430.5 MiB, rounded up
    assertThat(podBytes(with)).isEqualTo(podBytes(without) + bytes);
    assertThat(with.sparkConf())
        .containsEntry("spark.executor.memory", "4096m")
        .containsEntry("spark.executor.memoryOverhead", (409 + 1431) + "m")
        .doesNotContainKey("spark.shuffle.manager")
        .doesNotContainKey("spark.executor.extraClassPath");
    Volume volume = volume(with, "spark-local-dir-tmpfs");
    assertThat(volume.getEmptyDir().getMedium()).isEqualTo("Memory");
    assertThat(volume.getEmptyDir().getSizeLimit().getNumericalAmount().longValue())
        .isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    // heap of the application, its overhead, what comes to it: a quarter of the heap
    "memory: 4g,                             409,  1024",
    "'memory: 4g, memoryOverhead: 2g',       2048, 1024",
    "memory: 1001m,                          384,   251",
  })
  void aQuarterOfTheHeapIsTheDefault(String executor, long overhead, long shuffle) {
    Manifests manifests =
        Renderings.ordinary("executor: {" + executor + "}", "shuffle: {storage: Memory}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.executor.memoryOverhead", (overhead + shuffle) + "m");
  }

  @Test
  void whatTheUserSaysOfTheOverheadIsWithoutTheShuffle() {
    Manifests manifests =
        Renderings.ordinary(
            "sparkConf: {spark.executor.memory: 2g, spark.executor.memoryOverhead: 1g}",
            "shuffle: {storage: Memory, size: 1Gi}");
    assertThat(podBytes(manifests)).isEqualTo(4 * GIB);
  }

  @Test
  void pagesAreOffHeapMemoryThatSparkDoesNotUseItself() {
    Manifests manifests =
        pages("executor: {memory: 4g}", "shuffle: {storage: Pages, size: 1Gi, sharing: Executor}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.shuffle.manager", "numaspark.shuffle.PagesShuffleManager")
        .containsEntry("spark.memory.offHeap.enabled", "false")
        .containsEntry("spark.memory.offHeap.size", "1024m")
        .containsEntry("spark.executor.memoryOverhead", "1433m");
    assertThat(mount(manifests).getMountPath())
        .isEqualTo(manifests.sparkConf().get("spark.numaspark.shuffle.pages.dir"));
    assertThat(mount(manifests).getSubPath()).isNull();
    assertThat(volume(manifests, "numaspark-pages").getEmptyDir().getSizeLimit().toString())
        .isEqualTo("1Gi");
  }

  @Test
  void pagesComeToTheUsersOffHeapMemory() {
    Manifests manifests =
        pages(
            "executor: {memory: 4g}",
            "shuffle: {storage: Pages, size: 1Gi}",
            "sparkConf: {spark.memory.offHeap.enabled: 'true', spark.memory.offHeap.size: 2g}");
    assertThat(manifests.sparkConf())
        .containsEntry("spark.memory.offHeap.enabled", "true")
        .containsEntry("spark.memory.offHeap.size", "3072m")
        .doesNotContainKey("spark.executor.memoryOverhead");
    assertThat(podBytes(manifests)).isEqualTo(7 * GIB + 409 * MIB);
  }

  /** Of its own attempt only, so that no application sees the pages of another one. */
  @Test
  void siblingsShareAFolderOfTheNode() {
    Manifests manifests = pages("shuffle: {storage: Pages}");
    assertThat(volume(manifests, "numaspark-pages").getPersistentVolumeClaim().getClaimName())
        .isEqualTo("pages");
    assertThat(mount(manifests).getSubPath())
        .isEqualTo(manifests.sparkConf().get("spark.app.id"))
        .startsWith("spark-");
  }

  @Test
  void sharingNeedsANamespaceThatIsSetUp() {
    RenderResult refused =
        new ApplicationRenderer("spark", UiPolicy.AS_ASKED, PluginPolicy.ASSUMED, Grants.AS_ASKED)
            .render(application("shuffle: {storage: Pages, sharing: Node}"), Optional.empty());
    assertThat(refused)
        .isEqualTo(
            new Refusal(
                "SharedPagesMissing",
                "spec.shuffle.sharing: Node needs a volume of the nodes, which namespace default"
                    + " does not have; add the namespace to the Helm value sharedPages.namespaces,"
                    + " or leave sharing out"));
  }

  /** The pod is as large as its slot: the heap makes room. */
  @ParameterizedTest
  @CsvSource({
    "'{}',                  'shuffle: {storage: Pages, size: 1Gi}',  1024",
    "'{}',                  'shuffle: {storage: Memory, size: 1Gi}', 1024",
    "'{shuffleMemory: 2Gi}','shuffle: {storage: Memory, size: 1Gi}', 1024",
    "'{shuffleMemory: 2Gi}','shuffle: {storage: Pages}',             2048",
    "'{offHeap: 1Gi}',      'shuffle: {storage: Pages, size: 1Gi}',  1024",
  })
  void aPinnedPodKeepsTheSizeOfItsSlot(String executor, String shuffle, long mib) {
    ProfileContext profile = context(profile("executor: " + executor), node("a", 4));
    RenderResult result =
        new ApplicationRenderer("spark", UiPolicy.AS_ASKED, SHARING, Grants.AS_ASKED)
            .render(application("nodeProfile: test", shuffle), Optional.of(profile));
    Manifests manifests = (Manifests) result;
    long slot = profile.plan().shape().memory().podBytes();
    ExecutorMemory memory = manifests.executors().pinned().orElseThrow().memory();
    assertThat(memory.podBytes()).isEqualTo(slot);
    assertThat(memory.shuffleBytes()).isEqualTo(mib * MIB);
    assertThat(podBytes(manifests)).isEqualTo(slot);
    assertThat(memory.overheadBytes())
        .as("what Spark itself would take, and less than a MiB of rounding for each part")
        .isBetween(memory.heapBytes() / 10 / MIB * MIB, memory.heapBytes() / 10 + 4 * MIB);
  }

  @Test
  void aFifthOfTheHeapOfASlotIsTheDefault() {
    ProfileContext profile = context(profile(), node("a", 4));
    Manifests manifests = Renderings.pinned(profile, "shuffle: {storage: Memory}");
    long heap = profile.plan().shape().memory().heapBytes();
    assertThat(manifests.executors().pinned().orElseThrow().memory().shuffleBytes())
        .isBetween(heap / 5, heap / 5 + MIB);
  }

  /** What a profile keeps for shuffle data is overhead of those that shuffle on disk. */
  @Test
  void shuffleMemoryOfTheProfileIsOverheadWithDisk() {
    ProfileContext profile = context(profile("executor: {shuffleMemory: 2Gi}"), node("a", 4));
    Manifests manifests = Renderings.pinned(profile);
    assertThat(podBytes(manifests)).isEqualTo(profile.plan().shape().memory().podBytes());
    assertThat(manifests.sparkConf())
        .containsEntry(
            "spark.executor.memoryOverhead",
            (profile.plan().shape().memory().overheadBytes() / MIB + 2048) + "m");
    assertThat(PinnedShape.of(profile).sparkConf())
        .containsEntry(
            "spark.executor.memoryOverhead",
            manifests.sparkConf().get("spark.executor.memoryOverhead"));
  }

  @Test
  void anExactPodGrows() {
    ProfileContext profile = context(profile(), node("a", 4));
    String executor = "executor: {sizing: Exact, cores: 2, memory: 2g}";
    Manifests without = Renderings.pinned(profile, executor);
    Manifests with =
        Renderings.pinned(profile, executor, "shuffle: {storage: Memory, size: 512Mi}");
    assertThat(podBytes(with)).isEqualTo(podBytes(without) + 512 * MIB);
    assertThat(with.executors().pinned().orElseThrow().memory().podBytes())
        .isEqualTo(podBytes(with));
  }

  @Test
  void whatLeavesNoHeapIsRefused() {
    ProfileContext profile = context(profile(), node("a", 4));
    RenderResult result =
        new ApplicationRenderer("spark")
            .render(
                application("nodeProfile: test", "shuffle: {storage: Memory, size: 1Ti}"),
                Optional.of(profile));
    assertThat(((Refusal) result).reason()).isEqualTo("ExecutorMemoryTooSmall");
    assertThat(((Refusal) result).message())
        .startsWith("spec.shuffle.size: 1Ti for shuffle data in memory leaves no heap")
        .contains("give less, or raise spec.executor.coresPerExecutor.min");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shuffle: {size: 1Gi} | spec.shuffle.size: is memory",
        "shuffle: {storage: Memory, sharing: Node} | spec.shuffle.sharing: only storage: Pages",
        "shuffle: {storage: Memory, size: 1Mi} | spec.shuffle.size: give 64Mi"
            + " to 16Ti for each executor",
        "shuffle: {storage: Memory, size: much} | spec.shuffle.size: Invalid value: \"much\"",
        "shuffle: {storage: Memory}, sparkConf: {spark.local.dir: /scratch} |"
            + " spec.sparkConf[\"spark.local.dir\"]: is /scratch, but spec.shuffle.storage: Memory",
        "shuffle: {storage: Memory}, volumes: [{name: spark-local-dir-1, emptyDir: {}}], executor:"
            + " {volumeMounts: [{name: spark-local-dir-1, mountPath: /x}]} | spec.executor: volume"
            + " 'spark-local-dir-1' is mounted, but spec.shuffle.storage: Memory",
        "shuffle: {storage: Memory}, sparkConf:"
            + " {spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path: /x} |"
            + " spec.sparkConf[\"spark.kubernetes.executor.volumes.emptyDir.spark-local-dir-1.mount.path\"]:"
            + " mounts a local folder, but spec.shuffle.storage: Memory",
        "shuffle: {storage: Pages}, sparkConf: {spark.shuffle.manager: tungsten-sort} |"
            + " spec.sparkConf[\"spark.shuffle.manager\"]: is tungsten-sort, but"
            + " spec.shuffle.storage: Pages is a shuffle manager of its own; remove one of the two",
        "shuffle: {storage: Pages}, sparkConf: {spark.memory.offHeap.size: 1g} |"
            + " spec.sparkConf[\"spark.memory.offHeap.size\"]: is the size of the pages with"
            + " spec.shuffle.storage: Pages; use spec.shuffle.size",
        "shuffle: {storage: Pages}, sparkConf: {spark.numaspark.shuffle.pages.dir: /dev/shm} |"
            + " spec.sparkConf[\"spark.numaspark.shuffle.pages.dir\"]: numaspark mounts the folder",
      })
  void contradictionsAreRefused(String fields, String message) {
    assertThat(Renderings.refusal(fields)).startsWith(message);
  }

  private static Manifests pages(String... fields) {
    return (Manifests)
        new ApplicationRenderer("spark", UiPolicy.AS_ASKED, SHARING, Grants.AS_ASKED)
            .render(application(fields), Optional.empty());
  }

  private static long podBytes(Manifests manifests) {
    return Renderings.podBytes(manifests);
  }

  private static Volume volume(Manifests manifests, String name) {
    return Renderings.executor(manifests).getSpec().getVolumes().stream()
        .filter(volume -> volume.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static VolumeMount mount(Manifests manifests) {
    return Renderings.executor(manifests)
        .getSpec()
        .getContainers()
        .get(0)
        .getVolumeMounts()
        .stream()
        .filter(mount -> mount.getName().equals("numaspark-pages"))
        .findFirst()
        .orElseThrow();
  }
}

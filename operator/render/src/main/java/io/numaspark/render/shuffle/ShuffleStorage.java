package io.numaspark.render.shuffle;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.numaspark.api.v1alpha1.ShuffleSpec.Sharing;
import io.numaspark.api.v1alpha1.ShuffleSpec.Storage;
import io.numaspark.planner.jvm.ExecutorMemory;
import io.numaspark.render.application.PodAdditions;
import io.numaspark.render.conf.Settings;
import io.numaspark.render.conf.SparkKeys;
import io.numaspark.render.text.MemorySize;
import java.util.List;
import java.util.Map;

/**
 * Shuffle data that executors keep in memory, as spec.shuffle asks for it: the tmpfs that holds it,
 * and the Spark properties that make the pod large enough.
 *
 * <p>Limit: what Spark spills and caches on disk lies in the same folders as its shuffle files, so
 * with storage Memory it is on the tmpfs too.
 *
 * @param bytes of one executor
 * @param claim the volume of the node with pages that siblings read; empty for pages of one's own
 */
record ShuffleStorage(Storage storage, long bytes, Sharing sharing, String claim) {
  /** Spark takes folders mounted under such a name for its own (LocalDirsFeatureStep). */
  static final String LOCAL_VOLUME = "spark-local-dir-tmpfs";

  static final String PAGES_VOLUME = "numaspark-pages";

  private static final String LOCAL_FOLDER = "/var/lib/numaspark/local";
  private static final String PAGES_FOLDER = "/var/lib/numaspark/pages";

  /**
   * The properties that keep the data in memory and make the pod large enough. They replace the
   * user's own where those count memory: the pages or the tmpfs come to what the user gives.
   *
   * @param memory of one executor
   */
  Settings settings(ExecutorMemory memory) {
    Settings settings = new Settings();
    Settings.From enforced = settings.enforced("spec.shuffle.storage: " + storage);
    boolean offHeap = memory.offHeapBytes() > 0;
    if (storage == Storage.Pages) {
      enforced
          .put(ShuffleRules.MANAGER, ShuffleRules.PAGES_MANAGER)
          .put(ShuffleRules.PAGES_DIR, PAGES_FOLDER)
          .putBytes(SparkKeys.OFF_HEAP_SIZE, memory.offHeapBytes() + bytes);
      if (!offHeap) {
        settings.derived("spec.shuffle.storage: Pages").put(SparkKeys.OFF_HEAP, "false");
      }
    }
    // Spark adds off-heap memory to the pod by itself, but only where it is enabled.
    if (storage != Storage.Pages || !offHeap) {
      enforced.putBytes(SparkKeys.EXECUTOR_OVERHEAD, memory.sparkOverheadBytes() + bytes);
    }
    return settings;
  }

  /**
   * The volume that holds the data. A tmpfs has a limit of its own, so that what does not fit fails
   * to be written instead of having the pod killed.
   *
   * @param appId Spark's id of the attempt, the folder of its executors in a volume of the node
   */
  PodAdditions executor(String appId) {
    boolean pages = storage == Storage.Pages;
    String name = pages ? PAGES_VOLUME : LOCAL_VOLUME;
    boolean shared = pages && sharing == Sharing.Node;
    Volume volume =
        shared
            ? new VolumeBuilder().withName(name).withNewPersistentVolumeClaim(claim, null).build()
            : new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(new Quantity(MemorySize.toQuantity(bytes)))
                .endEmptyDir()
                .build();
    VolumeMount mount =
        new VolumeMountBuilder()
            .withName(name)
            .withMountPath(pages ? PAGES_FOLDER : LOCAL_FOLDER)
            .withSubPath(shared ? appId : null)
            .build();
    return PodAdditions.mounted(List.of(volume), List.of(mount), List.of(), Map.of());
  }
}

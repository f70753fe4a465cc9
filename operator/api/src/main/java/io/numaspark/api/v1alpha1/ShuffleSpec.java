package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Where executors keep what they shuffle. */
@ValidationRule(
    value =
        "!has(self.size) || quantity(self.size).compareTo(quantity('64Mi')) >= 0 &&"
            + " quantity(self.size).compareTo(quantity('16Ti')) <= 0",
    message = "spec.shuffle.size: give 64Mi to 16Ti for each executor")
@ValidationRule(
    value = "!has(self.size) || (has(self.storage) && self.storage != 'Disk')",
    message =
        "spec.shuffle.size: is memory, which storage: Disk does not take; remove it, or set storage: Memory or Pages")
@ValidationRule(
    value = "!has(self.sharing) || (has(self.storage) && self.storage == 'Pages')",
    message = "spec.shuffle.sharing: only storage: Pages can be shared; remove it")
public record ShuffleSpec(
    @Default("Disk")
        @JsonPropertyDescription(
            "Disk: files in the executors' local folders, as Spark has it. Memory: the same files on a tmpfs, for nodes"
                + " whose disks are slow. Pages: rows of Spark SQL stay as they are in pages of memory and are read"
                + " from there without being serialized, by numaspark's shuffle manager; needs the Spark plugin.")
        Storage storage,
    @Pattern(Patterns.BYTES)
        @Size(max = 16)
        @JsonPropertyDescription(
            "With storage Memory or Pages: bytes of memory that one executor may keep shuffle data in, as a Kubernetes"
                + " quantity (64Mi to 16Ti, rounded up to whole MiB). The executor pod is larger by it; with nodeProfile"
                + " and sizing Split the heap is smaller instead. If it is full, Pages continues in files on disk. With"
                + " Memory, tasks fail. Absent: a quarter of the heap; with nodeProfile and sizing Split a fifth of the heap"
                + " that the executor would have without it.")
        String size,
    @JsonPropertyDescription(
            "With storage Pages: who reads an executor's pages in place. Executor: only itself, other executors fetch over"
                + " the network. Node: all executors of the application on the same node, through a folder that the"
                + " platform team has set up (Helm value sharedPages). Absent: Node where that is set up for the"
                + " application's namespace, else Executor.")
        Sharing sharing) {

  /** Where shuffle data is kept. */
  public enum Storage {
    Disk,
    Memory,
    Pages
  }

  /** Who reads pages in place. */
  public enum Sharing {
    Executor,
    Node
  }
}

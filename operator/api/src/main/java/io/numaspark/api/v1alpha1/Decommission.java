package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** What executors do when their pods are told to end, as on a node that is drained. */
@ValidationRule(
    value = "!has(self.fallbackStorage) || !has(self.shuffleBlocks) || self.shuffleBlocks",
    message =
        "spec.decommission.fallbackStorage: takes shuffle blocks, which shuffleBlocks: false leaves; remove one of the two")
public record Decommission(
    @Default("true")
        @JsonPropertyDescription(
            "Move shuffle blocks to other executors (spark.storage.decommission.shuffleBlocks.enabled).")
        Boolean shuffleBlocks,
    @Default("true")
        @JsonPropertyDescription(
            "Move cached blocks to other executors (spark.storage.decommission.rddBlocks.enabled).")
        Boolean cachedBlocks,
    @Size(max = 1024)
        @Pattern("^[A-Za-z][A-Za-z0-9+.-]*://[^\\s]*/$")
        @JsonPropertyDescription(
            "Folder for shuffle blocks that no other executor takes, for example s3a://bucket/shuffle/; Spark reads them from"
                + " there (spark.storage.decommission.fallbackStorage.path). Absent: such blocks are lost and computed again.")
        String fallbackStorage,
    @Default("120")
        @Min(10)
        @Max(3600)
        @JsonPropertyDescription(
            "Seconds that an executor has to move its blocks: the termination grace period of its pod. Not more than the"
                + " notice that the node gets, which is 120 on AWS and 30 on Azure and Google Cloud.")
        Integer graceSeconds) {}

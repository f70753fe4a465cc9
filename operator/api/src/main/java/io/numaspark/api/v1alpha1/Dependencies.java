package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** Files that an application needs; driver and executors fetch them at start. */
public record Dependencies(
    @Size(max = 1024) @JsonPropertyDescription("Jars on the class path (spark.jars).")
        List<String> jars,
    @Size(max = 1024)
        @JsonPropertyDescription("Files put into each executor's working folder (spark.files).")
        List<String> files,
    @Size(max = 1024) @JsonPropertyDescription("Python files and archives (spark.submit.pyFiles).")
        List<String> pyFiles,
    @Size(max = 1024)
        @JsonPropertyDescription("Maven coordinates GROUP:ARTIFACT:VERSION (spark.jars.packages).")
        List<String> packages,
    @Size(max = 1024)
        @JsonPropertyDescription(
            "GROUP:ARTIFACT that packages must not bring (spark.jars.excludes).")
        List<String> excludePackages,
    @Size(max = 64)
        @JsonPropertyDescription("Further Maven repositories (spark.jars.repositories).")
        List<String> repositories,
    @Size(max = 1024)
        @JsonPropertyDescription(
            "Archives unpacked in each executor's working folder (spark.archives).")
        List<String> archives) {}

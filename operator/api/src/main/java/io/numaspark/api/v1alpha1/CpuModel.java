package io.numaspark.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;

/** Identity of a processor, as /proc/cpuinfo reports it. */
public record CpuModel(
    @Size(max = 64) @JsonPropertyDescription("Vendor, for example GenuineIntel or AuthenticAMD.")
        String vendor,
    @Min(0) @Max(65535) @JsonPropertyDescription("Family number.") Integer family,
    @Min(0) @Max(65535) @JsonPropertyDescription("Model number.") Integer model,
    @Size(max = 32)
        @JsonPropertyDescription(
            "State of SMT as /sys/devices/system/cpu/smt/control reports it: on, off, forceoff, notsupported or"
                + " notimplemented.")
        String smtControl,
    @Size(max = 128)
        @JsonPropertyDescription(
            "Name of the model, as the processor gives it; absent if it gives none.")
        String name) {}

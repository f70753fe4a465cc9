# The image of the operator, and of the numaspark command beside it (bin/numaspark). `make build` fills the folders that are
# copied; any Java 17 or later runs them.
ARG JRE_IMAGE=eclipse-temurin:21-jre-jammy
FROM ${JRE_IMAGE}
WORKDIR /opt/numaspark
COPY operator/controller/target/app/lib/ operator/cli/target/app/lib/ lib/
COPY operator/cli/src/main/sh/numaspark bin/numaspark
USER 65532:65532
EXPOSE 8080
# Compiling took half of the CPU time of a burst of 300 applications; the first compiler alone takes a fifteenth of that. Half of
# the memory limit is for the heap: 180 MiB of the JVM's own came on top of it (docs/benchmarks.md).
ENTRYPOINT ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:MaxRAMPercentage=50", "-cp", "/opt/numaspark/lib/*", "io.numaspark.controller.Main"]

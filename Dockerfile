# The image of the operator, and of the numaspark command beside it (bin/numaspark). `make build` fills the folders that are
# copied; any Java 17 or later runs them.
ARG JRE_IMAGE=eclipse-temurin:21-jre-jammy
FROM ${JRE_IMAGE}
WORKDIR /opt/numaspark
COPY operator/controller/target/app/lib/ operator/cli/target/app/lib/ lib/
COPY operator/cli/src/main/sh/numaspark bin/numaspark
USER 65532:65532
EXPOSE 8080
# In a burst of 300 applications the compilers took 18 of 38 s of CPU time, the first compiler alone 1.2 s. With 70 % of a memory
# limit of 512 MiB as heap, a burst of 1,000 reached 537 MiB, more than the limit (docs/benchmarks.md).
# The first compiler has no use for the processor's AES instructions: AES-GCM took 29 % of the operator's CPU time. The API server
# takes the cipher that its client names first if the client's first is not AES; one thread with the first compiler does 42 to 57 MB/s
# of ChaCha20-Poly1305 and 11 MB/s of AES-GCM.
ENTRYPOINT ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:MaxRAMPercentage=50", "-Djdk.tls.client.cipherSuites=TLS_CHACHA20_POLY1305_SHA256,TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "-cp", "/opt/numaspark/lib/*", "io.numaspark.controller.Main"]

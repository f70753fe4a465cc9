# The image of the operator, and of the numaspark command beside it. `make build` fills the folders that are copied: the jars are the
# same for every processor. What is made here, the Java runtime and the class data archive, is of the processor of the image.
# docs/images.md has the reasons and the numbers.

# A JDK, 17 or later, with jlink and glibc. A tag names another image tomorrow, so that both images have to be named by digest too:
# without one there is no build, and the message has the name of the argument in it.
ARG JDK_IMAGE=eclipse-temurin:21-jdk-jammy
ARG JDK_DIGEST
# What a JVM needs of an operating system: glibc, libstdc++, zlib, time zones. No shell.
ARG RUNTIME_IMAGE=gcr.io/distroless/java-base-debian12:nonroot
ARG RUNTIME_DIGEST

FROM ${JDK_IMAGE}@${JDK_DIGEST:-give--build-arg-JDK_DIGEST=sha256:...} AS build
# What `jdeps` finds in the jars (operator/image/check.sh holds the two together; log4j does not start without java.desktop), and
# jdk.crypto.ec for certificates with elliptic curves, jdk.jcmd and jdk.jfr for looking into a running operator.
RUN jlink --add-modules java.compiler,java.desktop,java.naming,java.net.http,java.rmi,java.scripting,java.sql,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management,jdk.unsupported \
    --strip-java-debug-attributes --no-header-files --no-man-pages --output /opt/numaspark/jre
WORKDIR /opt/numaspark
COPY LICENSE ./
# lib/, and sbom/ if `make build` has made it.
COPY operator/controller/target/app/ operator/cli/target/app/ ./
COPY operator/controller/src/main/image/jvm.options operator/cli/src/main/image/command.options ./
COPY operator/controller/src/main/image/classes.list /tmp/
# What the jars' own bills in sbom/ do not name: base image and runtime.
COPY operator/image/bill.sh /tmp/
ARG JDK_IMAGE
ARG JDK_DIGEST
ARG RUNTIME_IMAGE
ARG RUNTIME_DIGEST
ARG VERSION=0.1.0-SNAPSHOT
RUN mkdir -p sbom && /tmp/bill.sh numaspark-operator "$VERSION" jre > sbom/image.json
# The archive holds for one order of the class path and for the jars' times, so both are written down. A jar's time is the only one
# that it could be from: when the image is built has to make no difference.
ARG SOURCE_DATE_EPOCH=0
# `no` for an image that is the same bit for bit whenever it is built: the archive is not (docs/images.md). It starts later then.
ARG CLASS_ARCHIVE=yes
RUN printf -- '-cp %s\n' "$(printf '%s\n' /opt/numaspark/lib/*.jar | LC_ALL=C sort | paste -sd:)" > class-path \
    && cat class-path >> command.options && echo io.numaspark.cli.Main >> command.options \
    && find . -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} + \
    && { [ "$CLASS_ARCHIVE" = no ] || jre/bin/java @jvm.options @class-path -Xmx512m -Xshare:dump -XX:SharedClassListFile=/tmp/classes.list > /tmp/dump.log 2>&1 \
    || { cat /tmp/dump.log; exit 1; }; } \
    && find . -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

FROM ${RUNTIME_IMAGE}@${RUNTIME_DIGEST:-give--build-arg-RUNTIME_DIGEST=sha256:...}
ARG RUNTIME_IMAGE
ARG RUNTIME_DIGEST
ARG VERSION=0.1.0-SNAPSHOT
ARG REVISION=unknown
ARG SOURCE=https://numaspark.io
LABEL org.opencontainers.image.title="numaspark operator" \
    org.opencontainers.image.description="Runs Apache Spark executors pinned inside single NUMA nodes" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.source="${SOURCE}" \
    org.opencontainers.image.base.name="${RUNTIME_IMAGE}" \
    org.opencontainers.image.base.digest="${RUNTIME_DIGEST}" \
    org.opencontainers.image.licenses="Apache-2.0 AND BSD-3-Clause AND MIT AND GPL-2.0-only WITH Classpath-exception-2.0"
COPY --from=build /opt/numaspark /opt/numaspark
ENV PATH=/opt/numaspark/jre/bin LANG=C.UTF-8
WORKDIR /opt/numaspark
USER 65532:65532
EXPOSE 8080 8081
ENTRYPOINT ["java", "@/opt/numaspark/jvm.options", "@/opt/numaspark/class-path", "io.numaspark.controller.Main"]

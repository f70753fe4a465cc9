# The image of the operator. `mvn package` fills operator/controller/target/app; any Java 17 or later runs it.
ARG JRE_IMAGE=eclipse-temurin:21-jre-jammy
FROM ${JRE_IMAGE}
COPY operator/controller/target/app/ /opt/numaspark/
WORKDIR /opt/numaspark
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=70", "-cp", "/opt/numaspark/lib/*", "io.numaspark.controller.Main"]

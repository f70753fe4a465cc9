package numaspark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which packages of the plugin may depend on which: docs/architecture.md names them. */
@AnalyzeClasses(packages = "numaspark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("numaspark.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule featuresDependOnTheirContractOnly =
      slices()
          .matching("numaspark.(adaptive|facts|shuffle|trial)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule onlySparkKnowsThePlugin =
      noClasses()
          .that()
          .resideOutsideOfPackage("numaspark.plugin..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("numaspark.plugin..");

  /** The jar brings no library of its own: log4j, Netty and Dropwizard Metrics are Spark's. */
  @ArchTest
  static final ArchRule sparkIsAllThatThePluginNeeds =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "numaspark..",
              "java..",
              "com.sun.management..",
              "scala..",
              "org.apache.spark..",
              "org.slf4j..",
              "org.apache.logging.log4j..",
              "io.netty..",
              "com.codahale.metrics..",
              "jakarta.servlet..");
}

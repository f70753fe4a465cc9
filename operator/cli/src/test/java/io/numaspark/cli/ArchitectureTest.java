package io.numaspark.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.numaspark.planner.fixture.PackageParts;

/** Which parts of the command line may depend on which. */
@AnalyzeClasses(packages = "io.numaspark.cli", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().assignedFrom(new PackageParts("io.numaspark.cli")).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule commandsForFilesDoNotKnowEachOther =
      slices()
          .matching("io.numaspark.cli.(cluster|convert|inject)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule onlyKubectlCommandsTalkToAnApiServer =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.numaspark.cli.access..", "io.numaspark.cli.cluster..", "io.numaspark.cli.smt..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8.kubernetes.client..");

  @ArchTest
  static final ArchRule theCommandLineKnowsNoProcess =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.numaspark.controller..");
}

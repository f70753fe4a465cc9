package io.numaspark.render;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.numaspark.planner.fixture.PackageParts;
import io.numaspark.render.application.Concern;
import io.numaspark.render.conf.SparkProperties;

/** How the packages of rendering lean on each other: docs/architecture.md has the picture. */
@AnalyzeClasses(packages = "io.numaspark.render", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String[] CONCERNS = {
    "..render.driver..",
    "..render.executors..",
    "..render.lineage..",
    "..render.monitoring..",
    "..render.plugin..",
    "..render.rules..",
    "..render.scheduling..",
    "..render.shuffle.."
  };

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().assignedFrom(new PackageParts("io.numaspark.render")).should().beFreeOfCycles();

  @ArchTest
  static final ArchRule concernsHaveAPackageByPurpose =
      classes()
          .that()
          .implement(Concern.class)
          .should()
          .resideInAnyPackage(CONCERNS)
          .andShould()
          .haveOnlyFinalFields();

  @ArchTest
  static final ArchRule whatIsAskedForKnowsNoConcern =
      noClasses()
          .that()
          .resideInAnyPackage("..render.application..", "..render.conf..", "..render.sizing..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(CONCERNS);

  @ArchTest
  static final ArchRule propertiesAreFoldedInOnePlace =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName(ApplicationRenderer.class.getName())
          .and()
          .resideOutsideOfPackages("..render.conf..")
          .and()
          .haveSimpleNameNotStartingWith("Pinned")
          .should()
          .callMethod(SparkProperties.class, "of", java.util.Collection.class)
          .as("only the renderer folds properties, and what shows a profile's shape");

  @ArchTest
  static final ArchRule concernsDoNotKnowTheRenderer =
      noClasses()
          .that(assignableTo(Concern.class))
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName(ApplicationRenderer.class.getName());
}

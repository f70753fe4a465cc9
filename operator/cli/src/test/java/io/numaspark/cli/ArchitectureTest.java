package io.numaspark.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;

/** Which parts of the command line may depend on which. */
@AnalyzeClasses(packages = "io.numaspark.cli", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().assignedFrom(new Parts("io.numaspark.cli")).should().beFreeOfCycles();

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
          .resideOutsideOfPackage("io.numaspark.cli.cluster..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8.kubernetes.client..");

  @ArchTest
  static final ArchRule theCommandLineKnowsNoProcess =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.numaspark.controller..");

  /** Each package below the root is a part, and so are the classes of the root itself. */
  private record Parts(String root) implements SliceAssignment {

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      String name = type.getPackageName();
      if (name.equals(root)) {
        return SliceIdentifier.of("root");
      }
      return name.startsWith(root + ".")
          ? SliceIdentifier.of(name.substring(root.length() + 1).split("\\.")[0])
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "the packages below " + root + ", and its own classes";
    }
  }
}

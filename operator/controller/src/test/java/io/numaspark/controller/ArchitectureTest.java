package io.numaspark.controller;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.numaspark.controller.observe.ReportedExecutors;
import java.time.Clock;

/** Who may depend on whom: docs/architecture.md draws the same arrows. */
@AnalyzeClasses(packages = "io.numaspark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String PLANNER = "io.numaspark.planner..";
  private static final String API = "io.numaspark.api..";
  private static final String RENDER = "io.numaspark.render..";
  private static final String CONTROLLER = "io.numaspark.controller..";
  private static final String OBSERVE = "io.numaspark.controller.observe..";
  private static final String APPLY = "io.numaspark.controller.apply..";
  private static final String STATUS = "io.numaspark.controller.status..";
  private static final String SLOTS = "io.numaspark.controller.slots..";
  private static final String LIFECYCLE = "io.numaspark.controller.lifecycle..";
  private static final String RECONCILE = "io.numaspark.controller.reconcile..";
  private static final String PROCESS = "io.numaspark.controller.process..";
  private static final String METRICS = "io.numaspark.controller.metrics..";

  @ArchTest
  static final ArchRule plannerNeedsNothingButJava =
      classes()
          .that()
          .resideInAPackage(PLANNER)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", PLANNER);

  @ArchTest
  static final ArchRule apiKnowsNobodyOfOurs =
      noClasses()
          .that()
          .resideInAPackage(API)
          .should()
          .dependOnClassesThat(ours().and(DescribedPredicate.not(resideInAPackage(API))));

  @ArchTest
  static final ArchRule renderKnowsApiAndPlannerOnly =
      noClasses()
          .that()
          .resideInAPackage(RENDER)
          .should()
          .dependOnClassesThat(
              ours().and(DescribedPredicate.not(resideInAnyPackage(API, PLANNER, RENDER))));

  @ArchTest
  static final ArchRule theClientIsForObserversAppliersAndTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackages(OBSERVE, APPLY, PROCESS)
          .and()
          .areNotAssignableTo(Main.class)
          .should()
          .dependOnClassesThat(assignableTo(KubernetesClient.class));

  @ArchTest
  static final ArchRule renderStatusAndLifecycleArePure =
      noClasses()
          .that()
          .resideInAnyPackage(RENDER, STATUS, SLOTS, LIFECYCLE, PLANNER)
          .should()
          .dependOnClassesThat(
              assignableTo(KubernetesClient.class)
                  .or(assignableTo(Clock.class))
                  .or(resideInAnyPackage("io.javaoperatorsdk..", "java.net..", "java.net.http..")));

  @ArchTest
  static final ArchRule pureCodeDoesNotLookAtTheClock =
      noClasses()
          .that()
          .resideInAnyPackage(RENDER, STATUS, SLOTS, LIFECYCLE, PLANNER)
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  @ArchTest
  static final ArchRule theFrameworkIsForReconcilersMetricsAndTheProcess =
      noClasses()
          .that()
          .resideOutsideOfPackages(RECONCILE, METRICS, PROCESS)
          .and()
          .areNotAssignableTo(Main.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.javaoperatorsdk..");

  @ArchTest
  static final ArchRule onlyMainKnowsReconcilers =
      noClasses()
          .that()
          .resideOutsideOfPackage(RECONCILE)
          .and()
          .areNotAssignableTo(Main.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(RECONCILE);

  @ArchTest
  static final ArchRule observersAndAppliersKnowNothingOfTheRest =
      noClasses()
          .that()
          .resideInAnyPackage(OBSERVE, APPLY)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(STATUS, RECONCILE, METRICS);

  @ArchTest
  static final ArchRule ofTheObserversStatusKnowsTheirAnswersOnly =
      noClasses()
          .that()
          .resideInAPackage(STATUS)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(OBSERVE, APPLY)
                  .and(
                      DescribedPredicate.not(
                          assignableTo(ReportedExecutors.class)
                              .or(assignableTo(ReportedExecutors.Placement.class)))));

  @ArchTest
  static final ArchRule theLifecycleKnowsSpecAndStatusOnly =
      noClasses()
          .that()
          .resideInAPackage(LIFECYCLE)
          .should()
          .dependOnClassesThat(
              ours().and(DescribedPredicate.not(resideInAnyPackage(API, RENDER, LIFECYCLE))));

  @ArchTest
  static final ArchRule packagesOfTheControllerHaveNoCycles =
      slices().matching("io.numaspark.controller.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule theControllerHasNoUtilities =
      noClasses().that().resideInAPackage(CONTROLLER).should().haveSimpleNameEndingWith("Utils");

  private static DescribedPredicate<JavaClass> ours() {
    return resideInAPackage("io.numaspark..");
  }
}

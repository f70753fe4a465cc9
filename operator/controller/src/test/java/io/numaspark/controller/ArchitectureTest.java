package io.numaspark.controller;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.numaspark.api.v1alpha1.StatusReason;
import io.numaspark.controller.certificate.CertificateSource;
import io.numaspark.controller.certificate.ServingKeys;
import io.numaspark.controller.event.Signal;
import io.numaspark.controller.observe.ReportedExecutors;
import io.numaspark.controller.slots.StartDecision;
import io.numaspark.controller.status.Announcement;
import io.numaspark.planner.plan.Reason;
import io.numaspark.render.application.RenderResult;
import io.numaspark.render.profile.ProfilePlanner;
import io.numaspark.render.proof.Diagnosis;
import io.numaspark.render.proof.PinningJudge;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Who may depend on whom: docs/architecture.md draws the same arrows. */
@AnalyzeClasses(packages = "io.numaspark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String PLANNER = "io.numaspark.planner..";
  private static final String API = "io.numaspark.api..";
  private static final String SCHEMA = "io.numaspark.schema..";
  private static final String TRIAL = "io.numaspark.trial..";
  private static final String RENDER = "io.numaspark.render..";
  private static final String CONTROLLER = "io.numaspark.controller..";
  private static final String OBSERVE = "io.numaspark.controller.observe..";
  private static final String APPLY = "io.numaspark.controller.apply..";
  private static final String STATUS = "io.numaspark.controller.status..";
  private static final String SLOTS = "io.numaspark.controller.slots..";
  private static final String LIFECYCLE = "io.numaspark.controller.lifecycle..";
  private static final String RECONCILE = "io.numaspark.controller.reconcile..";
  private static final String STORE = "io.numaspark.controller.store..";
  private static final String WATCH = "io.numaspark.controller.watch..";
  private static final String APPLICATION = "io.numaspark.controller.application..";
  private static final String PROFILE = "io.numaspark.controller.profile..";
  private static final String WIRING = "io.numaspark.controller.wiring..";
  private static final String PROCESS = "io.numaspark.controller.process..";
  private static final String CERTIFICATE = "io.numaspark.controller.certificate..";
  private static final String METRICS = "io.numaspark.controller.metrics..";

  /** Functions: the same input gives the same answer, and nothing is remembered. */
  private static final String[] PURE = {SCHEMA, RENDER, STATUS, SLOTS, LIFECYCLE, PLANNER};

  @ArchTest
  static final ArchRule plannerNeedsNothingButJava =
      classes()
          .that()
          .resideInAPackage(PLANNER)
          .and()
          .resideOutsideOfPackage("io.numaspark.planner.fixture..")
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
  static final ArchRule schemaKnowsNobodyOfOurs =
      noClasses()
          .that()
          .resideInAPackage(SCHEMA)
          .should()
          .dependOnClassesThat(ours().and(DescribedPredicate.not(resideInAPackage(SCHEMA))));

  @ArchTest
  static final ArchRule trialKnowsNobodyOfOurs =
      noClasses()
          .that()
          .resideInAPackage(TRIAL)
          .should()
          .dependOnClassesThat(ours().and(DescribedPredicate.not(resideInAPackage(TRIAL))));

  @ArchTest
  static final ArchRule renderKnowsApiPlannerSchemaAndTrialOnly =
      noClasses()
          .that()
          .resideInAPackage(RENDER)
          .should()
          .dependOnClassesThat(
              ours()
                  .and(
                      DescribedPredicate.not(
                          resideInAnyPackage(API, PLANNER, SCHEMA, TRIAL, RENDER))));

  @ArchTest
  static final ArchRule theClientIsForThoseWhoReadOrWriteTheCluster =
      noClasses()
          .that()
          .resideOutsideOfPackages(OBSERVE, WATCH, APPLY, PROCESS, WIRING)
          .and()
          .areNotAssignableTo(Main.class)
          .should()
          .dependOnClassesThat(assignableTo(KubernetesClient.class));

  @ArchTest
  static final ArchRule renderStatusAndLifecycleArePure =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat(
              assignableTo(KubernetesClient.class)
                  .or(assignableTo(InstantSource.class))
                  .or(resideInAnyPackage("io.javaoperatorsdk..", "java.net..", "java.net.http..")));

  @ArchTest
  static final ArchRule pureCodeDoesNotLookAtTheClock =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .callMethod(java.time.Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  /** A supplier of times is a clock by another name. */
  @ArchTest
  static final ArchRule pureCodeIsGivenTheTimeAndNoClock =
      classes().that().resideInAnyPackage(PURE).should(haveNoSupplierOfTimes());

  @ArchTest
  static final ArchRule theFrameworkIsForReconcilersAndTheirWatches =
      noClasses()
          .that()
          .resideOutsideOfPackages(RECONCILE, WATCH, METRICS, PROCESS, WIRING)
          .and()
          .areNotAssignableTo(Main.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.javaoperatorsdk..");

  @ArchTest
  static final ArchRule onlyTheCompositionRootKnowsReconcilers =
      noClasses()
          .that()
          .resideOutsideOfPackages(RECONCILE, WIRING)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(RECONCILE);

  @ArchTest
  static final ArchRule reconcilersDoNotKnowEachOther =
      slices()
          .assignedFrom(
              new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                  return type.isAssignableTo(Reconciler.class) && ours().test(type)
                      ? SliceIdentifier.of(type.getSimpleName())
                      : SliceIdentifier.ignore();
                }

                @Override
                public String getDescription() {
                  return "each reconciler";
                }
              })
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule reconcilersAreRecordsOfWhatTheyWorkWith =
      classes()
          .that()
          .resideInAPackage(RECONCILE)
          .and()
          .areAssignableTo(Reconciler.class)
          .should()
          .beRecords();

  @ArchTest
  static final ArchRule reconcilersAndStepsHoldNoState =
      noFields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(RECONCILE, APPLICATION, PROFILE)
          .and()
          .areNotStatic()
          .and()
          .areDeclaredInClassesThat(isNoAnswer())
          .should()
          .haveRawType(
              assignableTo(Map.class)
                  .or(assignableTo(Collection.class))
                  .or(resideInAPackage("java.util.concurrent..")));

  @ArchTest
  static final ArchRule whatIsRememberedIsFinalOrInAStore =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(LIFECYCLE, RECONCILE, APPLICATION, PROFILE)
          .and()
          .areDeclaredInClassesThat(isNotWorkInProgress())
          .should()
          .beFinal();

  /** Whatever several threads change is shared, so it is remembered. */
  @ArchTest
  static final ArchRule pureCodeSharesNothingBetweenThreads =
      noFields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(STATUS, SLOTS, LIFECYCLE, RECONCILE, APPLICATION, PROFILE)
          .should()
          .haveRawType(resideInAPackage("java.util.concurrent.."))
          .orShould()
          .haveModifier(JavaModifier.VOLATILE);

  @ArchTest
  static final ArchRule pureCodeNeedsNoLock =
      noMethods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage(STATUS, SLOTS, LIFECYCLE, RECONCILE, APPLICATION, PROFILE)
          .should()
          .haveModifier(JavaModifier.SYNCHRONIZED);

  @ArchTest
  static final ArchRule onlyTheCompositionRootWires =
      noClasses()
          .that()
          .resideOutsideOfPackage(WIRING)
          .should()
          .callMethod(Signal.class, "listen", Consumer.class);

  @ArchTest
  static final ArchRule onlyMainKnowsTheCompositionRoot =
      noClasses()
          .that()
          .resideOutsideOfPackage(WIRING)
          .and()
          .areNotAssignableTo(Main.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(WIRING);

  @ArchTest
  static final ArchRule storesKnowNobodyWhoReadsOrWritesTheCluster =
      noClasses()
          .that()
          .resideInAPackage(STORE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(RECONCILE, WATCH, APPLY, APPLICATION, PROFILE, METRICS);

  @ArchTest
  static final ArchRule watchesKnowNobodyWhoDecides =
      noClasses()
          .that()
          .resideInAPackage(WATCH)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(RECONCILE, APPLY, APPLICATION, PROFILE, LIFECYCLE, METRICS);

  @ArchTest
  static final ArchRule observersKnowNothingOfTheRest =
      noClasses()
          .that()
          .resideInAPackage(OBSERVE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(STATUS, STORE, WATCH, RECONCILE, METRICS);

  @ArchTest
  static final ArchRule appliersKnowAnnouncementsAndNothingOfTheRest =
      noClasses()
          .that()
          .resideInAPackage(APPLY)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(STATUS, STORE, WATCH, RECONCILE, METRICS)
                  .and(DescribedPredicate.not(assignableTo(Announcement.class))));

  @ArchTest
  static final ArchRule ofTheObserversStatusKnowsTheirAnswersOnly =
      noClasses()
          .that()
          .resideInAPackage(STATUS)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(OBSERVE, APPLY)
                  .and(DescribedPredicate.not(assignableTo(ReportedExecutors.class))));

  @ArchTest
  static final ArchRule certificatesKnowNothingOfTheRest =
      noClasses()
          .that()
          .resideInAPackage(CERTIFICATE)
          .should()
          .dependOnClassesThat(ours().and(DescribedPredicate.not(resideInAPackage(CERTIFICATE))));

  /** Years are played through in a test; those who look have a clock that a test moves on. */
  @ArchTest
  static final ArchRule certificatesAreJudgedAndMadeAtATimeThatIsGiven =
      noClasses()
          .that()
          .resideInAPackage(CERTIFICATE)
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis");

  @ArchTest
  static final ArchRule onlyWhoLooksAtCertificatesHasAClock =
      noClasses()
          .that()
          .resideInAPackage(CERTIFICATE)
          .and()
          .areNotAssignableTo(CertificateSource.class)
          .and()
          .areNotAssignableTo(ServingKeys.class)
          .should()
          .dependOnClassesThat()
          .areAssignableTo(InstantSource.class);

  /** The schema says what a spec means where it says nothing. */
  @ArchTest
  static final ArchRule theLifecycleKnowsSpecAndStatusOnly =
      noClasses()
          .that()
          .resideInAPackage(LIFECYCLE)
          .should()
          .dependOnClassesThat(
              ours()
                  .and(
                      DescribedPredicate.not(
                          resideInAnyPackage(API, SCHEMA, TRIAL, RENDER, LIFECYCLE))));

  @ArchTest
  static final ArchRule packagesOfTheControllerHaveNoCycles =
      slices().matching("io.numaspark.controller.(*)..").should().beFreeOfCycles();

  /** Else docs/troubleshooting.md would not know a reason: TroubleshootingTest counts the enums. */
  @ArchTest
  static final ArchRule reasonsAreConstants =
      noClasses()
          .should()
          .callConstructorWhere(
              takesAReasonAsText(
                  Map.of(
                      Diagnosis.class, Set.of(Diagnosis.class),
                      Announcement.class, Set.of(Announcement.class),
                      RenderResult.Refusal.class, Set.of(RenderResult.Refusal.class),
                      ProfilePlanner.Unusable.class, Set.of(ProfilePlanner.Unusable.class),
                      PinningJudge.Verdict.class,
                          Set.of(PinningJudge.class, PinningJudge.Verdict.class),
                      StartDecision.Waiting.class, Set.of(StartDecision.Waiting.class))));

  /**
   * What is said by pods, findings or other parts of the operator, which is not a constant here.
   */
  @ArchTest
  static final ArchRule fewPassReasonsOn =
      noClasses()
          .that()
          .haveNameNotMatching(
              ".*[.](Announcement|ConditionAnnouncements|AttemptPreparation|DriverDiagnosis|ExecutorFailure"
                  + "|ProfileStatusAssembler|SharedPoolCause|ConnectStatusAssembler)")
          .should()
          .callMethodWhere(
              JavaCall.Predicates.target(HasName.Predicates.name("passedOn"))
                  .as("somebody else's reason is passed on"));

  private static DescribedPredicate<JavaConstructorCall> takesAReasonAsText(
      Map<Class<?>, Set<Class<?>>> allowed) {
    return DescribedPredicate.describe(
        "a reason is a text",
        call ->
            allowed.entrySet().stream()
                .filter(entry -> call.getTargetOwner().isEquivalentTo(entry.getKey()))
                .filter(
                    entry ->
                        call.getTarget().getRawParameterTypes().stream()
                            .noneMatch(
                                type ->
                                    type.isAssignableTo(StatusReason.class)
                                        || type.isEquivalentTo(Reason.class)))
                .anyMatch(
                    entry ->
                        entry.getValue().stream()
                            .noneMatch(user -> call.getOriginOwner().isEquivalentTo(user))));
  }

  @ArchTest
  static final ArchRule theControllerHasNoUtilities =
      noClasses().that().resideInAPackage(CONTROLLER).should().haveSimpleNameEndingWith("Utils");

  private static ArchCondition<JavaClass> haveNoSupplierOfTimes() {
    return new ArchCondition<>("have no supplier of times") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Stream.concat(
                type.getFields().stream()
                    .map(field -> Map.entry(field.getFullName(), field.getType())),
                type.getCodeUnits().stream()
                    .flatMap(
                        unit ->
                            unit.getParameterTypes().stream()
                                .map(parameter -> Map.entry(unit.getFullName(), parameter))))
            .filter(used -> suppliesTimes(used.getValue()))
            .forEach(
                used ->
                    events.add(
                        SimpleConditionEvent.violated(
                            type, used.getKey() + " has a " + used.getValue().getName())));
      }
    };
  }

  private static boolean suppliesTimes(JavaType type) {
    Set<JavaClass> involved = type.getAllInvolvedRawTypes();
    return involved.stream().anyMatch(raw -> raw.isEquivalentTo(Instant.class))
        && involved.stream()
            .anyMatch(
                raw -> raw.isEquivalentTo(Supplier.class) || raw.isEquivalentTo(Callable.class));
  }

  /** A class of its own within another one that lives as long as one call. */
  private static DescribedPredicate<JavaClass> isNotWorkInProgress() {
    return DescribedPredicate.describe(
        "is no private part of another one",
        type -> !type.isNestedClass() || !type.getModifiers().contains(JavaModifier.PRIVATE));
  }

  private static DescribedPredicate<JavaClass> isNoAnswer() {
    return DescribedPredicate.describe(
        "is no record within another one", type -> !(type.isNestedClass() && type.isRecord()));
  }

  private static DescribedPredicate<JavaClass> ours() {
    return resideInAPackage("io.numaspark..");
  }
}

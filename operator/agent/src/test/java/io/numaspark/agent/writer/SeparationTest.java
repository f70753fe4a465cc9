package io.numaspark.agent.writer;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.Set;

/** What the privileged side may use, and that nobody else can use it. */
@AnalyzeClasses(packages = "io.numaspark.agent", importOptions = DoNotIncludeTests.class)
class SeparationTest {

  /** All of java.net that a socket in the file system needs. */
  private static final Set<String> LOCAL_SOCKET =
      Set.of(
          UnixDomainSocketAddress.class.getName(),
          SocketAddress.class.getName(),
          ProtocolFamily.class.getName(),
          StandardProtocolFamily.class.getName());

  private static final Set<String> FILE_READING =
      Set.of("newBufferedReader", "readAllBytes", "readString", "isDirectory", "exists");

  @ArchTest
  static final ArchRule nobodyElseUsesTheWriter =
      noClasses()
          .that()
          .resideOutsideOfPackage("..agent.writer..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..agent.writer..");

  @ArchTest
  static final ArchRule theWriterKnowsNoApiServer =
      classes()
          .that()
          .resideInAPackage("..agent.writer..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java..",
              "com.fasterxml.jackson.core..",
              "io.numaspark.agent.knob..",
              "io.numaspark.agent.writer..",
              "io.numaspark.planner.topology..",
              "io.numaspark.api.v1alpha1..");

  @ArchTest
  static final ArchRule theWriterHasNoNetwork =
      noClasses()
          .that()
          .resideInAPackage("..agent.writer..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("java.net..")
                  .and(
                      DescribedPredicate.describe(
                          "more than a local socket needs",
                          (JavaClass it) -> !LOCAL_SOCKET.contains(it.getName()))));

  @ArchTest
  static final ArchRule theReadersSideOfKnobsWritesNoFile =
      noClasses()
          .that()
          .resideInAPackage("..agent.knob..")
          .should()
          .callMethodWhere(
              DescribedPredicate.describe("it may write a file", SeparationTest::mayWrite));

  private static boolean mayWrite(JavaMethodCall call) {
    JavaClass owner = call.getTargetOwner();
    return owner.isEquivalentTo(FileChannel.class) && call.getName().equals("write")
        || owner.isEquivalentTo(Files.class) && !FILE_READING.contains(call.getName());
  }
}

package io.numaspark.e2e.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.e2e.stage.StagePlanner.Stage;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds e2e/stages.txt to what it names: test classes, labs and scripts. */
class StagesTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final String TESTS = "tests ";

  private final List<Stage> stages =
      StagePlanner.read(REPOSITORY.resolve("e2e").resolve("stages.txt"));

  StagesTest() throws IOException {}

  @Test
  void everyTestClassHasAStageAndEveryStageATestClass() throws Exception {
    Set<String> run =
        stages.stream()
            .map(Stage::command)
            .filter(command -> command.startsWith(TESTS))
            .flatMap(command -> Stream.of(command.substring(TESTS.length()).split("\\|")))
            .map(String::strip)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> tags = new TreeSet<>();
    for (Class<?> test : testClasses()) {
      Tag[] own = test.getAnnotationsByType(Tag.class);
      assertThat(own).as("@Tag of %s: the stage that runs it", test.getSimpleName()).hasSize(1);
      tags.add(own[0].value());
      for (Method method : test.getDeclaredMethods()) {
        for (Tag further : method.getAnnotationsByType(Tag.class)) {
          tags.add(further.value());
        }
      }
    }
    assertThat(tags).isEqualTo(run);
  }

  private static List<Class<?>> testClasses() throws Exception {
    Path folder = REPOSITORY.resolve("e2e/src/test/java/io/numaspark/e2e");
    try (Stream<Path> files = Files.list(folder)) {
      List<Class<?>> classes = new ArrayList<>();
      for (Path file : files.filter(path -> path.toString().endsWith("E2E.java")).toList()) {
        classes.add(
            Class.forName(
                "io.numaspark.e2e." + file.getFileName().toString().replace(".java", "")));
      }
      assertThat(classes).isNotEmpty();
      return classes;
    }
  }

  @Test
  void labsAreTopologiesThatExist() {
    for (Stage stage : stages) {
      String[] lab = stage.lab().split("[+]");
      if (!Set.of(StagePlanner.NO_LAB, StagePlanner.OWN_LAB).contains(stage.lab())) {
        assertThat(REPOSITORY.resolve("lab/topologies").resolve(lab[0] + ".env")).exists();
      }
      for (String part : List.of(lab).subList(1, lab.length)) {
        if (part.startsWith("containerd-")) {
          assertThat(REPOSITORY.resolve("lab/tools").resolve(part).resolve("go.mod")).exists();
        } else if (part.startsWith("control-")) {
          String name = part.substring("control-".length());
          assertThat(REPOSITORY.resolve("lab/controlplanes").resolve(name + ".env")).exists();
        } else {
          assertThat(REPOSITORY.resolve("e2e/kubelets").resolve(part + ".yaml")).exists();
        }
      }
    }
  }

  @Test
  void scriptsExist() {
    assertThat(stages)
        .extracting(stage -> stage.command().split(" ")[0])
        .filteredOn(command -> command.contains("/"))
        .isNotEmpty()
        .allSatisfy(script -> assertThat(REPOSITORY.resolve(script)).isExecutable());
  }
}

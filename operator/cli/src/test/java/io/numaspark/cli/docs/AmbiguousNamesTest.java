package io.numaspark.cli.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No page, message, script, dashboard or note of the chart calls a resource by a name that another
 * operator may have too: where two are installed, kubectl picks one of them, and {@code kubectl
 * delete} deletes that.
 *
 * <p>Only files that people wrote or read are looked at; RBAC, CRDs and URLs name the group beside
 * the resource.
 */
class AmbiguousNamesTest {
  private static final Path REPOSITORY = Path.of(System.getProperty("repository.root"));
  private static final Set<String> FOLDERS_LEFT_OUT = Set.of(".git", "target", "bin", "oracle");

  /** These pass plurals to code, and the history says what was. */
  private static final Set<String> FILES_LEFT_OUT =
      Set.of(
          "AmbiguousNamesTest.java",
          "CHANGELOG.md",
          "CrdFilesGoldenTest.java",
          "CrdReferenceGoldenTest.java");

  private static final Pattern TEXT =
      Pattern.compile(".*[.](md|java|go|sh|txt|tpl|ya?ml|json|py)|Makefile|[a-z_-]+");

  /** Followed by its group, or part of a file's name or a path, a name is no other's. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "(?<![\\w./-])(?:(?:scheduled)?sparkapp(?:lication)?s?|sparknode(?:profile|topology)"
              + "|sparknode(?:profiles|topologies)|sn[pt])"
              + "(?![\\w/-]|[.](?:md|numaspark[.]io|sparkoperator[.]k8s[.]io|spark[.]apache[.]org))");

  /** Fields whose neighbour is the group. */
  private static final Pattern WITH_GROUP_BESIDE =
      Pattern.compile(
          "(?:[Rr]esources?|resourcePlural|plural|singular): |@Plural[(]|withResource[(]|range list ");

  @Test
  void everyNameIsOurs() throws IOException {
    List<String> ambiguous = new ArrayList<>();
    List<Path> files = files();
    for (Path file : files) {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (isAmbiguous(lines.get(i))) {
          ambiguous.add(REPOSITORY.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    assertThat(files).hasSizeGreaterThan(500);
    assertThat(ambiguous)
        .as("write NAME.numaspark.io, or a short name: nsapp, nssched, nsprofile, nstopo")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubectl delete sparkapplications --all",
        "kubectl get sparkapp pi",
        "kubectl get -n a scheduledsparkapplication x",
        "see 'kubectl describe sparkapplication'",
        "kubectl explain sparkapplication.spec",
        "kubectl get nodes,sparknodeprofiles",
        "kubectl get snt NODE"
      })
  void findsTheOthers(String line) {
    assertThat(isAmbiguous(line)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubectl delete sparkapplications.numaspark.io --all",
        "kubectl get sparkapplications.sparkoperator.k8s.io",
        "[SparkApplication](reference/sparkapplication.md)",
        "resources: [sparkapplications, sparkapplications/status]",
        "/apis/numaspark.io/v1alpha1/sparkapplications"
      })
  void takesWhatIsClear(String line) {
    assertThat(isAmbiguous(line)).isFalse();
  }

  private static boolean isAmbiguous(String line) {
    return AMBIGUOUS.matcher(line).find() && !WITH_GROUP_BESIDE.matcher(line).find();
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        REPOSITORY,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return FOLDERS_LEFT_OUT.contains(folder.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String name = file.getFileName().toString();
            if (attributes.isRegularFile()
                && TEXT.matcher(name).matches()
                && !FILES_LEFT_OUT.contains(name)) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}

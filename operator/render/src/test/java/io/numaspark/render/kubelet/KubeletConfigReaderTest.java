package io.numaspark.render.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.api.v1alpha1.KubeletSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drop-ins are merged as cmd/kubelet/app/server.go: mergeKubeletConfigurations does. */
class KubeletConfigReaderTest {
  private static final String HEAD =
      "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

  @TempDir private Path root;
  private Path file;
  private Path dropIns;

  @BeforeEach
  void writeConfiguration() throws IOException {
    file =
        write(
            "var/lib/kubelet/config.yaml",
            """
            cpuManagerPolicy: static
            cpuManagerPolicyOptions: {full-pcpus-only: "true"}
            reservedSystemCPUs: "0"
            reservedMemory:
            - {numaNode: 0, limits: {memory: 1Gi}}
            - {numaNode: 1, limits: {memory: 1Gi}}
            """);
    dropIns = Files.createDirectories(root.resolve("etc/kubernetes/kubelet.conf.d"));
  }

  @Test
  void mapsAreMergedAndListsReplaced() throws IOException {
    dropIn(
        "90-numaspark.conf",
        """
        cpuManagerPolicyOptions: {strict-cpu-reservation: "true"}
        reservedMemory:
        - {numaNode: 1, limits: {memory: 2Gi}}
        """);
    KubeletSpec kubelet = read();
    assertThat(kubelet.cpuManagerPolicy()).isEqualTo("static");
    assertThat(kubelet.cpuManagerPolicyOptions())
        .isEqualTo(Map.of("full-pcpus-only", "true", "strict-cpu-reservation", "true"));
    assertThat(kubelet.reservedMemory()).isEqualTo(Map.of("1", 2L << 30));
  }

  @Test
  void nullTakesAFieldAway() throws IOException {
    dropIn(
        "10.conf",
        "reservedSystemCPUs: null\nsystemReserved: {cpu: 1500m}\ncpuManagerPolicyOptions: {full-pcpus-only: null}\n");
    assertThat(read().reservedCpus()).isNull();
    assertThat(read().reservedCpuCount()).isEqualTo(2);
    assertThat(read().cpuManagerPolicyOptions()).isNull();
  }

  @Test
  void theLastInLexicalOrderWins() throws IOException {
    dropIn("20-b.conf", "reservedSystemCPUs: \"2\"\n");
    dropIn("20-a.conf", "reservedSystemCPUs: \"1\"\n");
    dropIn("3.conf.yaml", "reservedSystemCPUs: \"3\"\n");
    assertThat(read().reservedCpus()).isEqualTo("2");
  }

  @Test
  void aFolderComesWhereItsNameStands() throws IOException {
    // filepath.WalkDir sees "a" before "a.conf", although '.' sorts before '/'.
    dropIn("a/z.conf", "reservedSystemCPUs: \"1\"\n");
    dropIn("a.conf", "reservedSystemCPUs: \"2\"\n");
    assertThat(read().reservedCpus()).isEqualTo("2");
  }

  @Test
  void findsTheUsualPlaces() {
    assertThat(KubeletConfigReader.find(root)).contains(file);
    assertThat(KubeletConfigReader.findDropIns(root)).contains(dropIns);
    assertThat(KubeletConfigReader.findDropIns(root.resolve("var"))).isEmpty();
  }

  @Test
  void aDropInThatTheKubeletRefusesIsNamed() throws IOException {
    Path dropIn = dropIns.resolve("10.conf");
    Files.writeString(dropIn, "kind: KubeletConfiguration\n");
    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(dropIn + ": apiVersion is ''; a drop-in needs kubelet.config.k8s.io/v1beta1");
    Files.writeString(dropIn, "");
    assertThatThrownBy(this::read)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(dropIn + ": is not a KubeletConfiguration;");
    Files.writeString(dropIn, "kind: [");
    assertThatThrownBy(this::read)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(dropIn + ": cannot be read: ");
  }

  @Test
  void whatTheMergeMakesWrongNamesBoth() throws IOException {
    dropIn("10.conf", "cpuManagerPolicy: dynamic\n");
    assertThatThrownBy(this::read)
        .hasMessageStartingWith(
            file + " with the drop-ins of " + dropIns + ": cpuManagerPolicy: 'dynamic'");
  }

  private KubeletSpec read() throws IOException {
    return KubeletConfigReader.read(file, Optional.of(dropIns));
  }

  private void dropIn(String name, String text) throws IOException {
    write(root.relativize(dropIns.resolve(name)).toString(), text);
  }

  private Path write(String path, String text) throws IOException {
    Path target = root.resolve(path);
    Files.createDirectories(target.getParent());
    return Files.writeString(target, HEAD + text);
  }
}

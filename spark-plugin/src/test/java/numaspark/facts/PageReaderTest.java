package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import numaspark.facts.ExecutorFacts.Pages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageReaderTest {
  @TempDir Path folder;
  private final Unread unread = new Unread();

  private Optional<Pages> read(String text) {
    FakeMachine machine = new FakeMachine(folder).write("self/numa_maps", text);
    BitSet own = new BitSet();
    own.set(1);
    return new PageReader(machine.roots(), unread).read(own);
  }

  @Test
  void pagesCountByNodeAndBySize() {
    String text =
        """
        7f0000000000 default anon=3 dirty=3 N0=1 N1=2 kernelpagesize_kB=4
        7f1000000000 default file=/dev/hugepages/x\\040N0=9 huge anon=1 N1=1 kernelpagesize_kB=2048
        7f2000000000 bind:0 file=/lib/libc.so mapped=5 N10=5 kernelpagesize_kB=4
        7f3000000000 default
        """;
    assertThat(read(text)).contains(new Pages(2 * 4096 + (2 << 20), 6 * 4096));
    assertThat(unread.reasons()).isEmpty();
  }

  @Test
  void localityIsTheShareOnOwnNodes() {
    assertThat(new Pages(3, 1).locality()).isEqualTo(0.75);
    assertThat(new Pages(0, 0).locality()).isNull();
  }

  @Test
  void linesMayCrossTheEdgesOfTheBuffer() {
    String line = "7f0000000000 default anon=3 dirty=3 N0=1 N1=2 kernelpagesize_kB=4\n";
    assertThat(read(line.repeat(10_000))).contains(new Pages(20_000 * 4096L, 10_000 * 4096L));
  }

  @Test
  void garbageIsNoPages() {
    String noise = "N=1 N1 N1= N1=x N99999999999999=1 =\n\n" + "x".repeat(100_000) + "\u0000\n";
    assertThat(read(noise + "a N1=1\nb N0=99999999999999999999 N1=1")).contains(new Pages(4096, 0));
    assertThat(read("")).isEmpty();
    assertThat(unread.reasons()).hasSize(1);
    assertThat(read(new String(new byte[1000], StandardCharsets.ISO_8859_1))).isEmpty();
  }

  @Test
  void aTextWithoutEndIsNotReadToItsEnd() {
    assertThat(read("7f0000000000 default N1=2 kernelpagesize_kB=4\n".repeat(750_000))).isEmpty();
    assertThat(unread.reasons().get(0)).contains("longer than");
  }

  @Test
  void aMissingFileIsSaid() {
    BitSet own = new BitSet();
    assertThat(new PageReader(new FakeMachine(folder).roots(), unread).read(own)).isEmpty();
    assertThat(unread.reasons()).hasSize(1);
    assertThat(unread.reasons().get(0)).startsWith("page locality: there is no ");
  }
}

package io.numaspark.planner.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuSetTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''           | ''",
        "' '          | ''",
        "0            | 0",
        "0-3,8        | 0-3,8",
        "8,0-3        | 0-3,8",
        "0,1,2,4      | 0-2,4",
        "' 0-1, 3 \n' | 0-1,3",
        "1-1          | 1",
        "0-2,1-5,5    | 0-5",
        "8190-8191    | 8190-8191"
      })
  void printsTheShortestListOfWhatItRead(String text, String canonical) {
    assertThat(CpuSet.parse(text)).hasToString(canonical);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          x             | 'x' in 'x' is not a CPU id
          0-3,b,5       | 'b' in '0-3,b,5' is not a CPU id
          0,,1          | '' in '0,,1' is not a CPU id
          1,            | '' in '1,' is not a CPU id
          -1            | '' in '-1' is not a CPU id
          1-2-3         | '1-2-3' in '1-2-3' is not a CPU id
          3-1           | '3-1' in '3-1' runs backwards
          8192          | '8192' in '8192' is not a CPU id
          0-99999999999 | '99999999999' in '0-99999999999' is not a CPU id
          0x1           | '0x1' in '0x1' is not a CPU id
          """)
  void namesThePartItCannotRead(String text, String message) {
    assertThatThrownBy(() -> CpuSet.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageMatching(".*(write ids from 0 to 8191 as in 0-3,8|write the lower CPU first)");
  }

  @Test
  void refusesIdsThatLinuxDoesNotHave() {
    assertThatThrownBy(() -> CpuSet.of(8192)).hasMessage("CPU id 8192 is outside of 0-8191");
    assertThatThrownBy(() -> CpuSet.of(-1)).hasMessage("CPU id -1 is outside of 0-8191");
  }

  @Test
  void agreesWithSortedSetsOnRandomInput() {
    Random random = new Random(20260101);
    for (int round = 0; round < 2_000; round++) {
      TreeSet<Integer> left = randomIds(random);
      TreeSet<Integer> right = randomIds(random);
      CpuSet a = cpuSet(left);
      CpuSet b = cpuSet(right);

      assertThat(CpuSet.parse(a.toString())).isEqualTo(a).hasSameHashCodeAs(a);
      String longForm = left.stream().map(String::valueOf).collect(Collectors.joining(","));
      assertThat(CpuSet.parse(longForm)).isEqualTo(a);

      TreeSet<Integer> union = new TreeSet<>(left);
      union.addAll(right);
      TreeSet<Integer> common = new TreeSet<>(left);
      common.retainAll(right);
      TreeSet<Integer> rest = new TreeSet<>(left);
      rest.removeAll(right);
      assertThat(a.union(b)).isEqualTo(cpuSet(union));
      assertThat(a.intersect(b)).isEqualTo(cpuSet(common));
      assertThat(a.minus(b)).isEqualTo(cpuSet(rest));
      assertThat(a.containsAll(b)).isEqualTo(left.containsAll(right));
      assertThat(a.intersects(b)).isEqualTo(!common.isEmpty());
      assertThat(a.size()).isEqualTo(left.size());
      assertThat(a.stream()).containsExactlyElementsOf(left);
    }
  }

  @Test
  void operationsLeaveTheirOperandsAlone() {
    CpuSet set = CpuSet.range(0, 3);
    set.union(CpuSet.of(9));
    set.minus(CpuSet.of(0));
    set.intersect(CpuSet.EMPTY);
    assertThat(set).hasToString("0-3");
    assertThat(CpuSet.EMPTY.isEmpty()).isTrue();
  }

  @Test
  void knowsItsMembersAndItsFirst() {
    CpuSet set = CpuSet.parse("4,7-9");
    assertThat(set.first()).isEqualTo(4);
    assertThat(set.contains(8)).isTrue();
    assertThat(set.contains(5)).isFalse();
    assertThat(set.contains(-1)).isFalse();
    assertThatThrownBy(CpuSet.EMPTY::first).isInstanceOf(NoSuchElementException.class);
  }

  private static CpuSet cpuSet(TreeSet<Integer> ids) {
    return CpuSet.of(ids.stream().mapToInt(Integer::intValue));
  }

  private static TreeSet<Integer> randomIds(Random random) {
    int bound = 1 + random.nextInt(random.nextBoolean() ? 12 : CpuSet.MAX_ID + 1);
    return random
        .ints(random.nextInt(12), 0, bound)
        .boxed()
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Messages of it get into statuses. */
  @Test
  void messagesHaveOnlyTheBeginningOfALongText() {
    String list = "0-3," + "x".repeat(100_000) + ",9-1";
    assertThatThrownBy(() -> CpuSet.parse(list))
        .isInstanceOf(IllegalArgumentException.class)
        .extracting(Throwable::getMessage)
        .asString()
        .contains("xxx...", "0-3,xxx")
        .hasSizeLessThan(300);
    assertThatThrownBy(() -> CpuSet.parse("9-1" + ",8".repeat(1000)))
        .extracting(Throwable::getMessage)
        .asString()
        .hasSizeLessThan(300);
  }

  @Test
  void takesNoRangeThatOnlyANumberCouldHold() {
    for (String list : new String[] {"0-2147483647", "0-999999999999", "-1", "0-8192"}) {
      assertThatThrownBy(() -> CpuSet.parse(list)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}

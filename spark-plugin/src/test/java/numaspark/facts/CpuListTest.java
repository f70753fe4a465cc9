package numaspark.facts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CpuListTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {"0 0", "0-3,8 0-3,8", "3,2,1 1-3", "0-1,1-2 0-2", "5-5 5", "0,64-65 0,64-65"})
  void listsAreReadAndWrittenInOrder(String text, String normal) {
    assertThat(CpuList.parse(" " + text + "\n").map(CpuList::format)).contains(normal);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "1-", "-1", "3-1", "0,,1", "0-99999999", "99999999999", "0x1"})
  void whatIsNoListIsNone(String text) {
    assertThat(CpuList.parse(text)).isEmpty();
  }
}

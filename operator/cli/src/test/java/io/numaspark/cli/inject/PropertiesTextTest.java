package io.numaspark.cli.inject;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringReader;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every form that java.util.Properties reads; a is set to 2 and b, which is new, to 3. */
class PropertiesTextTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      textBlock =
          """
          a=1\\n|a=2\\nb=3\\n
          a = 1\\n|a = 2\\nb = 3\\n
          a: 1|a: 2\\nb: 3
          a 1\\r\\n|a 2\\r\\nb 3\\r\\n
          a\\t\\t1\\n|a\\t\\t2\\nb 3\\n
            a 1\\n|  a 2\\nb 3\\n
          a\\n|a 2\\nb 3\\n
          a=\\n|a=2\\nb=3\\n
          # a=0\\n! a=0\\n\\na=1\\n|# a=0\\n! a=0\\n\\na=2\\nb=3\\n
          # a\\\\\\na=1\\n|# a\\\\\\na=2\\nb=3\\n
          a=1\\\\\\n  0\\nc=d\\n|a=2\\nc=d\\nb=3\\n
          c\\\\ d=e\\na=1\\n|c\\\\ d=e\\na=2\\nb=3\\n
          \\uFEFFa=1\\n|\\uFEFFa=2\\nb=3\\n
          """)
  void changesAndAdds(String before, String after) throws IOException {
    PropertiesText file = PropertiesText.parse(unescaped(before));
    ObjectNode wanted = file.tree().put("a", "2").put("b", "3");
    String edited = file.with(wanted);
    assertThat(edited).isEqualTo(unescaped(after));
    Properties read = new Properties();
    read.load(new StringReader(edited.replace("\uFEFF", "")));
    assertThat(read).containsEntry("a", "2").containsEntry("b", "3").hasSize(wanted.size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a=1\\nb=2\\nc=3\\n | a=1\\nc=3\\n
          b=2\\na=1          | a=1
          b=2\\\\\\n 3\\na=1 | a=1
          """)
  void removes(String before, String after) {
    PropertiesText file = PropertiesText.parse(unescaped(before));
    ObjectNode wanted = file.tree();
    wanted.remove("b");
    assertThat(file.with(wanted)).isEqualTo(unescaped(after));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = "c:\\\\d | c:\\\\\\\\d")
  void escapesWhatItWrites(String value, String written) {
    ObjectNode wanted = PropertiesText.parse("").tree().put("a", unescaped(value));
    assertThat(PropertiesText.parse("").with(wanted)).isEqualTo("a " + unescaped(written) + "\n");
  }

  private static String unescaped(String text) {
    return text.replace("\\\\", "\0")
        .replace("\\n", "\n")
        .replace("\\r", "\r")
        .replace("\\t", "\t")
        .replace("\\uFEFF", "\uFEFF")
        .replace("\0", "\\");
  }
}

package io.numaspark.cli.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an edit does to each form that YAML allows; \n and \r stand for line ends. */
class YamlFileTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      textBlock =
          """
          plain scalar            ¦ a: 1 # c                       ¦ a: 2                ¦ a: 2 # c
          single quotes stay      ¦ a: '1g' # c                    ¦ a: 2g               ¦ a: '2g' # c
          double quotes stay      ¦ a: "1g"                        ¦ a: 2g               ¦ a: "2g"
          number as text          ¦ a: x                           ¦ a: "4"              ¦ a: "4"
          looks like a number     ¦ a: x                           ¦ a: "1e3"            ¦ a: "1e3"
          text becomes number     ¦ a: "4"                         ¦ a: 4                ¦ a: 4
          tag is replaced         ¦ a: !!str 4                     ¦ a: 5                ¦ a: 5
          unused anchor           ¦ a: &x 4                        ¦ a: 5                ¦ a: 5
          plain over two lines    ¦ a: b\\n  c\\nd: e              ¦ {a: f, d: e}        ¦ a: f\\nd: e
          empty value             ¦ a: # c\\nb: 1                  ¦ {a: x, b: 1}        ¦ a: x # c\\nb: 1
          mapping for empty value ¦ a: # c\\nb: 1                  ¦ {a: {x: z}, b: 1}   ¦ a: {x: z} # c\\nb: 1
          mapping for null        ¦ a: ~                           ¦ {a: {x: [z]}}       ¦ a: {x: [z]}
          new key at the end      ¦ a: 1\\n# end\\n                ¦ {a: 1, b: 2}        ¦ a: 1\\nb: 2\\n# end\\n
          new key, no line end    ¦ a: 1                           ¦ {a: 1, b: 2}        ¦ a: 1\\nb: 2
          new key, Windows        ¦ a: 1\\r\\n                     ¦ {a: 1, b: 2}        ¦ a: 1\\r\\nb: 2\\r\\n
          new mapping             ¦ a: 1                           ¦ {a: 1, b: {c: [{d: 2, e: 3}]}} ¦ a: 1\\nb:\\n  c:\\n    - d: 2\\n      e: 3
          new key below           ¦ a:\\n    b: 1\\n\\nc: 2        ¦ {a: {b: 1, d: 3}, c: 2} ¦ a:\\n    b: 1\\n    d: 3\\n\\nc: 2
          beside its sibling      ¦ e:\\n  cores: 4 # c\\n  x: 1   ¦ {e: {cores: 4, x: 1, coreRequest: "4", coreLimit: "4"}} ¦ e:\\n  cores: 4 # c\\n  coreRequest: "4"\\n  coreLimit: "4"\\n  x: 1
          after a block scalar    ¦ a:\\n  b: |\\n    x # no\\n\\nc: 1 ¦ {a: {b: "x # no\\n", d: 2}, c: 1} ¦ a:\\n  b: |\\n    x # no\\n  d: 2\\n\\nc: 1
          after an alias          ¦ a: &x 1\\nb: *x # c            ¦ {a: 1, b: 1, c: 2}  ¦ a: &x 1\\nb: *x # c\\nc: 2
          flow mapping            ¦ {a: 1, b: 2}                   ¦ {a: 1, b: 3, c: 4}  ¦ {a: 1, b: 3, c: 4}
          empty flow mapping      ¦ a: {}                          ¦ {a: {b: 1}}         ¦ a: {b: 1}
          trailing comma          ¦ {a: 1, }                       ¦ {a: 1, b: 2}        ¦ {a: 1, b: 2, }
          flow over lines         ¦ {\\n  a: 1 # c\\n}             ¦ {a: 1, b: 2}        ¦ {\\n  a: 1, # c\\n  b: 2\\n}
          flow in block           ¦ a: {b: 1} # c\\n               ¦ {a: {b: 1, c: 2}}   ¦ a: {b: 1, c: 2} # c\\n
          JSON stays JSON         ¦ {"a": {"b": "c"}}              ¦ {a: {b: c, d: e}, f: [g]} ¦ {"a": {"b": "c", "d": "e"}, "f": ["g"]}
          list item               ¦ a:\\n- b # c\\n                ¦ {a: [b, c]}         ¦ a:\\n- b # c\\n- c\\n
          indented list item      ¦ a:\\n  - b: 1\\n    c: 2       ¦ {a: [{b: 1, c: 2}, {d: 3}]} ¦ a:\\n  - b: 1\\n    c: 2\\n  - d: 3
          key in a list item      ¦ - a: 1\\n- b: 2                ¦ [{a: 1, c: 3}, {b: 2}] ¦ - a: 1\\n  c: 3\\n- b: 2
          flow list               ¦ a: [b]                         ¦ {a: [b, c]}         ¦ a: [b, c]
          empty flow list         ¦ a: []                          ¦ {a: [b]}            ¦ a: [b]
          key goes                ¦ a: 1\\nb: 2\\nc: 3             ¦ {a: 1, c: 3}        ¦ a: 1\\nc: 3
          block goes              ¦ a: 1\\nb:\\n  d: 2\\nc: 3      ¦ {a: 1, c: 3}        ¦ a: 1\\nc: 3
          last goes, other comes  ¦ a: 1\\nb: 2                    ¦ {a: 1, c: 3}        ¦ a: 1\\nc: 3
          flow key goes           ¦ {a: 1, b: 2, c: 3}             ¦ {a: 1, c: 3}        ¦ {a: 1, c: 3}
          first flow key goes     ¦ {a: 1, b: 2}                   ¦ {b: 2}              ¦ {b: 2}
          key is renamed          ¦ a:\\n  b: "1" # c              ¦ {a: {d: "1"}}       ¦ a:\\n  d: "1" # c
          explicit key            ¦ ? a\\n: 1                      ¦ {a: 2}              ¦ ? a\\n: 2
          second document intact  ¦ a: 1\\n---\\nb:   {c:   d}     ¦ a: 2                ¦ a: 2\\n---\\nb:   {c:   d}
          start and end marks     ¦ --- # c\\na: 1\\n...\\n        ¦ {a: 1, b: 2}        ¦ --- # c\\na: 1\\nb: 2\\n...\\n
          beyond the basic plane  ¦ a: 🔥 # 🔥🔥\\nb: 1            ¦ {a: 🔥, b: 2}       ¦ a: 🔥 # 🔥🔥\\nb: 2
          """)
  void edits(String name, String before, String wanted, String after) {
    assertThat(YamlFile.parse(unescaped(before)).with(Map.of(0, tree(wanted))))
        .isEqualTo(unescaped(after));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      textBlock =
          """
          shared value    ¦ a: &x {b: 1}\\nc: *x     ¦ {a: {b: 1}, c: {b: 2}}  ¦ c: is shared through an anchor
          block scalar    ¦ a: >\\n  b\\n             ¦ {a: c}                  ¦ a: is a text over several lines
          other type      ¦ a: {b: 1}                ¦ {a: 1}                  ¦ a: cannot be replaced
          fewer items     ¦ a: [1, 2]                ¦ {a: [1]}                ¦ a: has items that numaspark inject added
          emptied         ¦ a: {b: 1}                ¦ {a: {}}                 ¦ a: cannot be emptied
          unforeseen form ¦ a: |+\\n  b\\n\\n        ¦ {a: "b\\n\\n", c: 1}    ¦ it is written in a form that cannot be edited
          """)
  void refuses(String name, String before, String wanted, String message) {
    YamlFile file = YamlFile.parse(unescaped(before));
    assertThatThrownBy(() -> file.with(Map.of(0, tree(wanted))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  private static JsonNode tree(String yaml) {
    return YamlFile.parse(yaml).tree(0);
  }

  private static String unescaped(String text) {
    return text.replace("\\n", "\n").replace("\\r", "\r");
  }
}

package io.numaspark.agent.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HuffmanTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # the examples of RFC 7541, appendix C.4 and C.6
          www.example.com               | f1e3c2e5f23a6ba0ab90f4ff
          no-cache                      | a8eb10649cbf
          custom-value                  | 25a849e95bb8e8b4bf
          302                           | 6402
          private                       | aec3771a4b
          Mon, 21 Oct 2013 20:13:21 GMT | d07abe941054d444a8200595040b8166e082a62d1bff
          gzip                          | 9bd9ab
          https://www.example.com       | 9d29ad171863c78f0b97c8e9ae82ae43d3
          """)
  void decodes(String text, String code) throws ProtocolException {
    byte[] bytes = HexFormat.of().parseHex("00" + code);
    assertThat(Huffman.decode(bytes, 1, bytes.length - 1)).isEqualTo(text);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          the end-of-string symbol             | fffffffc   | that RFC 7541 does not have
          a whole byte of filling              | 9bd9abff   | in the middle of a character
          filling that is not made of ones     | aec3771a4a | in the middle of a character
          a long code that is cut off          | ffff       | in the middle of a character
          """)
  void refuses(String what, String code, String message) {
    byte[] bytes = HexFormat.of().parseHex(code);
    assertThatThrownBy(() -> Huffman.decode(bytes, 0, bytes.length))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining(message);
  }
}

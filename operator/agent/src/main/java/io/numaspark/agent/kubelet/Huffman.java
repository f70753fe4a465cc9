package io.numaspark.agent.kubelet;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes the Huffman code of HTTP/2 header strings (RFC 7541, appendix B).
 *
 * <p>The code is canonical: codes of one length are consecutive numbers in the order of their
 * symbols, so that the lengths alone give the whole table.
 */
final class Huffman {
  /** Length of each byte's code in bits, as a base-36 digit: 5 is 5, u is 30. */
  private static final String LENGTHS =
      "dnsssssssoussussssssssusssssssss"
          + "6aacd68baa8b8666555666666678f6ca"
          + "d67777777777777777777777878djde6"
          + "f56565666577666567655677777fbeds"
          + "kmkkmmmnmnnnnnonoomnonnnnlmnmnno"
          + "mlkmmnnlnmmolmnnllmnlmnnkmmmnmmn"
          + "qqkjmnmpqqqrrqopjlqrrqrollqqsrrr"
          + "koklmllnmmppooqnqrqqrrrrrsrrrrrq";

  private static final int LONGEST = 30;

  /** Number of codes by length. The end-of-string symbol's is left out: it must not appear. */
  private static final int[] COUNTS = new int[LONGEST + 1];

  /** All bytes, by length of their code, then by value. */
  private static final byte[] SYMBOLS = new byte[256];

  static {
    int next = 0;
    for (int length = 1; length <= LONGEST; length++) {
      for (int symbol = 0; symbol < 256; symbol++) {
        if (Character.digit(LENGTHS.charAt(symbol), 36) == length) {
          COUNTS[length]++;
          SYMBOLS[next++] = (byte) symbol;
        }
      }
    }
  }

  private Huffman() {}

  /**
   * The text of {@code length} bytes of code from {@code from}.
   *
   * @throws ProtocolException if the bytes are no such code
   */
  static String decode(byte[] code, int from, int length) throws ProtocolException {
    byte[] text = new byte[length * 8 / 5];
    int size = 0;
    int value = 0;
    int bits = 0;
    int firstOfLength = 0;
    int symbolsBefore = 0;
    for (int bit = 0; bit < length * 8; bit++) {
      value = value << 1 | code[from + bit / 8] >> (7 - bit % 8) & 1;
      firstOfLength <<= 1;
      bits++;
      int place = value - firstOfLength;
      if (place < COUNTS[bits]) {
        text[size++] = SYMBOLS[symbolsBefore + place];
        value = bits = firstOfLength = symbolsBefore = 0;
      } else if (bits == LONGEST) {
        throw new ProtocolException("a header has a Huffman code that RFC 7541 does not have");
      } else {
        firstOfLength += COUNTS[bits];
        symbolsBefore += COUNTS[bits];
      }
    }
    // The last byte is filled up with the first bits of the end-of-string code: all ones.
    if (bits > 7 || value != (1 << bits) - 1) {
      throw new ProtocolException("a header's Huffman code ends in the middle of a character");
    }
    return new String(text, 0, size, StandardCharsets.UTF_8);
  }
}

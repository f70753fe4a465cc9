package numaspark.facts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import numaspark.facts.ExecutorFacts.Pages;

/**
 * Sums {@code /proc/self/numa_maps}: one line a mapping, with the resident pages on each node. The
 * kernel walks the page tables for it, which is what it costs; the text is read as a stream.
 */
final class PageReader {
  private static final String FACT = "page locality";

  /** A line has about 100 bytes, and the kernel allows 65,530 mappings unless told otherwise. */
  private static final long LONGEST = 32L << 20;

  private static final byte[] PAGE_SIZE = "kernelpagesize_kB=".getBytes(StandardCharsets.US_ASCII);

  private final Path file;
  private final Unread unread;
  private final byte[] buffer = new byte[64 * 1024];

  // Of the word and of the line that are being read.
  private final byte[] word = new byte[48];
  private int length;
  private long pagesOnOwn;
  private long pagesOnOther;
  private long pageBytes;

  PageReader(Roots roots, Unread unread) {
    this.file = roots.self().resolve("numa_maps");
    this.unread = unread;
  }

  /**
   * @param ownNodes NUMA nodes of the allowed CPUs
   */
  Optional<Pages> read(BitSet ownNodes) {
    long own = 0;
    long other = 0;
    long total = 0;
    nextLine();
    try (InputStream stream = Files.newInputStream(file)) {
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        total += n;
        if (total > LONGEST) {
          unread.because(FACT, file + " is longer than " + LONGEST + " bytes");
          return Optional.empty();
        }
        for (int i = 0; i < n; i++) {
          byte b = buffer[i];
          if (b == ' ' || b == '\n') {
            endWord(ownNodes);
            if (b == '\n') {
              own += pagesOnOwn * pageBytes;
              other += pagesOnOther * pageBytes;
              nextLine();
            }
          } else if (length < word.length) {
            word[length++] = b;
          }
        }
      }
    } catch (IOException e) {
      unread.because(FACT, file, e);
      return Optional.empty();
    }
    if (own + other == 0) {
      unread.because(FACT, file + " has no pages of any node");
      return Optional.empty();
    }
    unread.isRead(FACT);
    return Optional.of(new Pages(own, other));
  }

  private void nextLine() {
    length = 0;
    pagesOnOwn = 0;
    pagesOnOther = 0;
    pageBytes = 4096;
  }

  private void endWord(BitSet ownNodes) {
    if (length > 3 && word[0] == 'N' && digit(1)) {
      int equals = 1;
      int node = 0;
      while (digit(equals) && node < 1 << 16) {
        node = node * 10 + word[equals++] - '0';
      }
      if (equals < length && word[equals] == '=') {
        long pages = number(equals + 1);
        if (ownNodes.get(node)) {
          pagesOnOwn += pages;
        } else {
          pagesOnOther += pages;
        }
      }
    } else if (isPageSize()) {
      pageBytes = number(PAGE_SIZE.length) * 1024;
    }
    length = 0;
  }

  private boolean isPageSize() {
    if (length <= PAGE_SIZE.length) {
      return false;
    }
    for (int i = 0; i < PAGE_SIZE.length; i++) {
      if (word[i] != PAGE_SIZE[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean digit(int at) {
    return at < length && word[at] >= '0' && word[at] <= '9';
  }

  /** 0 for what is not a number, or more than any machine has. */
  private long number(int from) {
    long number = 0;
    for (int i = from; i < length; i++) {
      if (!digit(i) || number > 1L << 40) {
        return 0;
      }
      number = number * 10 + word[i] - '0';
    }
    return number;
  }
}

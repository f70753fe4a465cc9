package io.numaspark.cli.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The list of words that we do not write, each with what to write instead and the reason.
 *
 * <p>Limit: it knows phrases, not grammar. A phrase belongs here only if it is wrong in every
 * sentence of pages and messages. Patterns are for both cases; one that is about the first word of
 * a sentence says so with {@code (?-i:…)}.
 */
final class PlainEnglish {
  /** Words of the longest sentence. The aim is 25. */
  static final int LONGEST = 40;

  private static final Pattern END_OF_SENTENCE =
      Pattern.compile(
          "(?<=[.!?][*)]{0,3})\\s+|[|]|\\n\\s*\\n|\\n(?=\\s*(?:[-*]|[0-9]+[.])\\s)|\\z");

  private static final Pattern LETTER_OR_DIGIT = Pattern.compile("[\\p{L}\\p{N}]");

  /** At most four words between those of a phrase, of which none is code. */
  private static final String BETWEEN = "(?:(?!X )[\\p{L}\\p{N}'’-]+ ){0,4}?";

  private static final List<Phrase> PHRASES =
      List.of(
          phrase(
              "(?:tells?|telling|told)\\b(?! apart)", "report, show, say", "programs do not talk"),
          phrase(
              "(?<!there\\s)(?:is|are) no (?!longer|more|less|fewer|better|worse|different|[0-9])",
              "is not a, has no",
              "the sentence should say what the subject is not"),
          phrase(
              "(?<!there\\s)(?<!cpuManagerPolicy\\s)(?:is|are) (?-i:none)",
              "is not one, there is no",
              "the sentence should say what the subject is not"),
          phrase(
              "goes(?=[.,;:)]| when\\b| if\\b| with (?:it|them|the)\\b| away\\b)",
              "is deleted, is removed",
              "an object does not move; say what happens to it"),
          phrase(
              "go(?:es|ing)? on(?! (?:a|an|the|each|one|which)\\b)", "continue", "one clear verb"),
          phrase("put(?:s|ting)? " + BETWEEN + "back", "restore"),
          phrase("(?:gives?|given|gave|takes?|taken|took) " + BETWEEN + "back", "return, revert"),
          phrase("(?:keeps?|kept) " + BETWEEN + "back", "withhold"),
          phrase(
              "ask(?:s|ed|ing)? (?!an administrator)" + BETWEEN + "for",
              "request",
              "the word of Kubernetes"),
          phrase("mighty", "with the power of", "quaint"),
          phrase("mend(?:s|ed|ing)?", "correct, fix", "quaint"),
          phrase("anew", "again", "quaint"),
          phrase("beside", "next to, in addition to, with", "its two meanings are confused"),
          phrase("in vain", "without success", "quaint"),
          phrase("for ever", "forever, indefinitely", "spelling"),
          phrase("seldom|oftener", "rarely, more often", "quaint"),
          phrase("as ever", "as usual", "quaint"),
          phrase("will do(?=[.,;:)])", "is enough", "colloquial"),
          phrase("(?:the|its) like", "similar", "name the thing"),
          phrase("sees? to it", "make sure", "quaint"),
          phrase("whoever|whom", "anyone who, which", "formal"),
          phrase(
              "lest|whence|thence|thereby|thereof|hereby|wherein|whereof|albeit|upon",
              "a plain word",
              "formal"),
          phrase("(?:comes?|came|becomes?|became) of", "happens to, results from", "quaint"),
          phrase("(?:own|kubelet's|scheduler's) words?", "message, report", "programs do not talk"),
          phrase("(?:is|are|was|were) (?:not )?(?:heard|silent)", "report, stop reporting"),
          phrase("believe[sd]?", "trust, count, accept", "programs have no beliefs"),
          phrase("(?:is|are|was|were) held to", "is compared with, is checked against"),
          phrase("stands? (?:in|below|above|behind|beside)", "is", "text does not stand"),
          phrase("looked (?:for|at|into)", "searched, read, investigated", "one clear verb"),
          phrase("on their way", "unfinished", "idiom"),
          phrase("(?-i:Nor) (?:is|are|was|were|do|does|has|have|can)", "subject first", "inverted"),
          phrase(
              "(?-i:Refused|Granted|Not (?:checked|counted|covered|read|run|tested|used)) (?:is|are|was|were)",
              "subject first",
              "inverted"),
          phrase(
              "(?<=[.!?]\\s)(?-i:Where) (?:the|an?|it|they|no)",
              "If",
              "where is a place, and this is a condition"),
          phrase(
              "seed 00[0-9]|stud(?:y|ies) 00[0-9]|the seeds?(?! of)",
              "author and year",
              "a reader does not know our numbers of studies"));

  private PlainEnglish() {}

  /** A pattern of a phrase, and what to write instead. */
  private record Phrase(Pattern pattern, String instead, String why) {}

  /** What to change, and the offset in the text. */
  record Fault(int offset, String remark) {}

  private static Phrase phrase(String pattern, String instead) {
    return phrase(pattern, instead, "one clear verb");
  }

  private static Phrase phrase(String pattern, String instead, String why) {
    return new Phrase(
        Pattern.compile("\\b(?:" + pattern.replace(" ", "\\s+") + ")\\b", Pattern.CASE_INSENSITIVE),
        instead,
        why);
  }

  /** Phrases of the list, in the order of the text; lines may break within a phrase. */
  static List<Fault> phrases(String text) {
    List<Fault> faults = new ArrayList<>();
    for (Phrase phrase : PHRASES) {
      Matcher matcher = phrase.pattern().matcher(text);
      while (matcher.find()) {
        faults.add(
            new Fault(
                matcher.start(),
                "\"%s\": write %s (%s)"
                    .formatted(
                        matcher.group().strip().replaceAll("\\s+", " "),
                        phrase.instead(),
                        phrase.why())));
      }
    }
    faults.sort(Comparator.comparingInt(Fault::offset));
    return faults;
  }

  /** Sentences, items of lists and cells of tables of more than {@link #LONGEST} words. */
  static List<Fault> longSentences(String text) {
    List<Fault> faults = new ArrayList<>();
    int start = 0;
    Matcher end = END_OF_SENTENCE.matcher(text);
    while (end.find()) {
      String sentence = text.substring(start, end.start()).strip();
      long words =
          Arrays.stream(sentence.split("\\s+"))
              .filter(word -> LETTER_OR_DIGIT.matcher(word).find())
              .count();
      if (words > LONGEST) {
        faults.add(
            new Fault(
                start,
                "%d words in a sentence, at most %d: %s…"
                    .formatted(words, LONGEST, beginning(sentence))));
      }
      start = end.end();
    }
    return faults;
  }

  private static String beginning(String sentence) {
    return Arrays.stream(sentence.split("\\s+")).limit(8).collect(Collectors.joining(" "));
  }
}

package io.numaspark.cli.docs;

import io.numaspark.planner.fixture.Page.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One command of a block, as the words that a shell would make of it.
 *
 * <p>Limit: of the shell it knows what the pages use: continued lines, comments, pipes, quotes,
 * variables in front and the output's redirection.
 */
record ShellLine(List<String> words) {
  /** Where {@code make build} puts numaspark and kubectl-numaspark, which are not in every PATH. */
  private static final String BUILT = "bin/";

  private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");
  private static final Pattern VARIABLE = Pattern.compile("[A-Z_]+=.*");

  /** The commands of a block; of a console only those behind a prompt. */
  static List<ShellLine> of(Block block) {
    boolean console = block.language().equals("console");
    List<ShellLine> commands = new ArrayList<>();
    for (String line : block.text().replaceAll("\\\\\n *", "").split("\n")) {
      if (line.startsWith("$ ") || !console) {
        split(line.replaceFirst("^\\$ ", ""), commands);
      }
    }
    return commands;
  }

  private static void split(String line, List<ShellLine> commands) {
    List<String> words = new ArrayList<>();
    boolean redirected = false;
    Matcher word = WORD.matcher(line);
    while (word.find() && !word.group().startsWith("#")) {
      if (word.group().matches("[|;]|&&")) {
        commands.add(new ShellLine(List.copyOf(words)));
        words.clear();
      } else if (redirected || word.group().equals(">")) {
        redirected = !redirected;
      } else if (words.isEmpty() && word.group().startsWith(BUILT)) {
        words.addAll(List.of(word.group().substring(BUILT.length()).split("-")));
      } else if (!words.isEmpty() || !VARIABLE.matcher(word.group()).matches()) {
        words.add(word.group().replaceAll("^(['\"])(.*)\\1$", "$2"));
      }
    }
    if (!words.isEmpty()) {
      commands.add(new ShellLine(List.copyOf(words)));
    }
  }

  String program() {
    return words.get(0);
  }

  boolean startsWith(String... first) {
    return words.size() >= first.length && words.subList(0, first.length).equals(List.of(first));
  }

  /** The words behind an option's name, for every time that it is given. */
  List<String> valuesOf(String option) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < words.size() - 1; i++) {
      if (words.get(i).equals(option)) {
        values.add(words.get(i + 1));
      }
    }
    return values;
  }

  @Override
  public String toString() {
    return String.join(" ", words);
  }
}

package io.numaspark.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** The oracle (oracles/kubelet) as a child that answers one case after another. */
final class OracleProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;

  OracleProcess(String program, String... arguments) throws IOException {
    String[] command = new String[arguments.length + 1];
    command[0] = program;
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    questions = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
  }

  JsonNode ask(OracleCase question) throws IOException {
    questions.println(question.question());
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("the oracle ended at " + question.question());
    }
    return OracleCase.JSON.readTree(answer);
  }

  /** The next line of what it prints by itself; null at its end. */
  String next() throws IOException {
    return answers.readLine();
  }

  @Override
  public void close() {
    process.destroy();
  }
}

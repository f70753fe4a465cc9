package io.numaspark.cli.smt;

/** The person who runs the command. */
interface Person {
  /** Shows how far the switch is. */
  void say(String line);

  /** Whether the person agrees to go on. */
  boolean agrees(String question);
}

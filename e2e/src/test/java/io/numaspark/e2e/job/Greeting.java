package io.numaspark.e2e.job;

/** A class that no Spark image has: an executor that can call it has fetched its package. */
public final class Greeting {
  private Greeting() {}

  /** Called by name, from SQL. */
  public static String greet() {
    return "greetings from a package";
  }
}

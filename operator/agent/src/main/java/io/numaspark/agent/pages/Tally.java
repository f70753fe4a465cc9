package io.numaspark.agent.pages;

/**
 * What was done in a namespace since it was last told: counts, and the first error.
 *
 * <p>Limit: names no entry but that of the first error, because a tenant may make millions of them.
 */
final class Tally {
  private static final System.Logger LOG = System.getLogger(Tally.class.getName());

  private final String namespace;
  private int executors;
  private int strays;
  private int errors;
  private String first;

  Tally(String namespace) {
    this.namespace = namespace;
  }

  void executorDeleted() {
    executors++;
  }

  void strayDeleted() {
    strays++;
  }

  void failed(Exception e) {
    if (errors++ == 0) {
      first = e.toString();
    }
  }

  /** At most one line for what was done and one for what was not; whether there is such a one. */
  boolean tell() {
    if (executors > 0 || strays > 0) {
      LOG.log(
          System.Logger.Level.INFO,
          "shared pages of namespace {0}: deleted the folders of {1} dead executors, {2} strays",
          namespace,
          executors,
          strays);
    }
    if (errors > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "shared pages of namespace {0}: {1} entries are not looked after, tried again; the first:"
              + " {2}",
          namespace,
          errors,
          first);
    }
    boolean troubled = errors > 0;
    executors = 0;
    strays = 0;
    errors = 0;
    return troubled;
  }
}

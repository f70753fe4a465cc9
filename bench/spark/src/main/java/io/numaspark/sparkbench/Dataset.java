package io.numaspark.sparkbench;

/**
 * Input that is made once and kept in the cache, under a name that says all that it depends on.
 *
 * @param name of its folder; ends in a version that grows when the generator changes
 * @param maker the query that writes it
 */
record Dataset(String name, String maker) {

  static Dataset tpch(double scale) {
    String text = Double.toString(scale);
    return new Dataset("tpch-" + text + "-v1", "make-tpch/" + text);
  }

  static Dataset terasort(long mebibytes, int files) {
    return files("terasort", mebibytes + "m", mebibytes << 20, files);
  }

  static Dataset pages(long pages, int files) {
    return files("pagerank", Long.toString(pages), pages, files);
  }

  static Dataset visits(long visits, int files) {
    return files("visits", Long.toString(visits), visits, files);
  }

  /** Text or records in files, each of which is a task. */
  private static Dataset files(String kind, String size, long amount, int files) {
    return new Dataset(
        kind + "-" + size + "-" + files + "-v4", "make-" + kind + "/" + amount + "/" + files);
  }
}

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

  static Dataset terasort(long mebibytes) {
    return new Dataset("terasort-" + mebibytes + "m-v3", "make-terasort/" + (mebibytes << 20));
  }

  static Dataset pages(long pages) {
    return new Dataset("pagerank-" + pages + "-v3", "make-pagerank/" + pages);
  }

  static Dataset visits(long visits) {
    return new Dataset("visits-" + visits + "-v3", "make-visits/" + visits);
  }
}

package io.numaspark.sparkbench;

/**
 * A query with its input.
 *
 * @param query as the application knows it, such as {@code tpch/q01}
 * @param dataset null when it reads nothing
 * @param writes whether it writes a folder of files
 */
record Workload(String query, Dataset dataset, boolean writes) {

  static Workload reading(String query, Dataset dataset) {
    return new Workload(query, dataset, false);
  }

  static Workload writing(String query, Dataset dataset) {
    return new Workload(query, dataset, true);
  }

  static Workload computing(String query) {
    return new Workload(query, null, false);
  }
}

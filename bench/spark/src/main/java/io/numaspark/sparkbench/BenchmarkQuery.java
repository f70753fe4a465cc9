package io.numaspark.sparkbench;

/**
 * A query with its input.
 *
 * @param query as the application knows it, such as {@code tpch/q01}
 * @param dataset null when it reads nothing
 * @param writes whether it writes a folder of files
 */
record BenchmarkQuery(String query, Dataset dataset, boolean writes) {

  static BenchmarkQuery reading(String query, Dataset dataset) {
    return new BenchmarkQuery(query, dataset, false);
  }

  static BenchmarkQuery writing(String query, Dataset dataset) {
    return new BenchmarkQuery(query, dataset, true);
  }

  static BenchmarkQuery computing(String query) {
    return new BenchmarkQuery(query, null, false);
  }
}

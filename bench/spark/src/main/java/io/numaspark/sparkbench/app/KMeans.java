package io.numaspark.sparkbench.app;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/**
 * Lloyd's algorithm over points that are kept in memory, as in Awan et al. 2016: 8 clusters, 4
 * iterations. Each iteration sends the centers to all executors and collects sums.
 *
 * @param iterations how often the centers move
 */
record KMeans(int iterations) implements Query {
  private static final int CLUSTERS = 8;

  /** Sum and count of the points of each cluster; the last number of a row is the count. */
  private static final class Sums implements Serializable {
    private final double[][] sums = new double[CLUSTERS][Points.DIMENSIONS + 1];

    Sums add(double[] point, double[][] centers) {
      double[] sum = sums[nearest(point, centers)];
      for (int i = 0; i < Points.DIMENSIONS; i++) {
        sum[i] += point[i];
      }
      sum[Points.DIMENSIONS]++;
      return this;
    }

    Sums add(Sums other) {
      for (int c = 0; c < CLUSTERS; c++) {
        for (int i = 0; i <= Points.DIMENSIONS; i++) {
          sums[c][i] += other.sums[c][i];
        }
      }
      return this;
    }

    /** A cluster without points keeps its center. */
    double[][] centers(double[][] before) {
      double[][] centers = new double[CLUSTERS][];
      for (int c = 0; c < CLUSTERS; c++) {
        double count = sums[c][Points.DIMENSIONS];
        centers[c] = before[c].clone();
        for (int i = 0; count > 0 && i < Points.DIMENSIONS; i++) {
          centers[c][i] = sums[c][i] / count;
        }
      }
      return centers;
    }
  }

  /** The sum of all coordinates of the centers. */
  @Override
  public List<Row> run(SparkSession spark, Map<String, String> arguments) {
    JavaRDD<double[]> points =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .binaryRecords(arguments.get("data"), Points.BYTES)
            .map(Points::of)
            .persist(StorageLevel.MEMORY_AND_DISK());
    double[][] centers = points.take(CLUSTERS).toArray(double[][]::new);
    for (int i = 0; i < iterations; i++) {
      double[][] before = centers;
      centers = points.mapPartitions(part -> sums(part, before)).reduce(Sums::add).centers(before);
    }
    points.unpersist(true);
    double all = 0;
    for (double[] center : centers) {
      for (double coordinate : center) {
        all += coordinate;
      }
    }
    return List.of(RowFactory.create(all));
  }

  private static Iterator<Sums> sums(Iterator<double[]> points, double[][] centers) {
    Sums sums = new Sums();
    points.forEachRemaining(point -> sums.add(point, centers));
    return List.of(sums).iterator();
  }

  private static int nearest(double[] point, double[][] centers) {
    int nearest = 0;
    double least = Double.MAX_VALUE;
    for (int c = 0; c < centers.length; c++) {
      double distance = 0;
      for (int i = 0; i < Points.DIMENSIONS; i++) {
        double apart = point[i] - centers[c][i];
        distance += apart * apart;
      }
      if (distance < least) {
        least = distance;
        nearest = c;
      }
    }
    return nearest;
  }
}

package numaspark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;

/** The tests' own ground: executors are processes, run this module's classes, and can be lost. */
class SparkClusterIT {

  @Test
  void executorsAreProcessesThatCanBeLost() {
    try (SparkCluster cluster = SparkCluster.start(2, 1, Map.of())) {
      assertThat(cluster.executors()).containsOnlyKeys("0", "1");
      List<Long> processes =
          cluster
              .context()
              .parallelize(List.of(1, 2, 3, 4), 4)
              .map(number -> number * 0 + ProcessHandle.current().pid())
              .distinct()
              .collect();
      assertThat(cluster.executors().values())
          .extracting(ProcessHandle::pid)
          .containsAll(processes);

      cluster.kill("0");

      SparkCluster.await(
          "another one", () -> cluster.executors().keySet().equals(Set.of("1", "2")));
      assertThat(cluster.session().range(1000).repartition(4).count()).isEqualTo(1000);
    }
  }

  @Test
  void anExecutorInsideTheDriverRunsTasks() {
    try (SparkCluster cluster = SparkCluster.local(2, Map.of())) {
      List<Integer> partitions =
          cluster
              .context()
              .parallelize(List.of(1, 2), 2)
              .map(number -> TaskContext.getPartitionId())
              .collect();
      assertThat(partitions).containsExactly(0, 1);
    }
  }
}

package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.numaspark.cli.text.InputException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SparkSubmitTest {

  @Test
  void keepsTheUsersOptionsAndReplacesWhatTheTrialVaries() {
    SparkSubmit submit =
        parse(
            "/opt/spark/bin/spark-submit --master local[4] --class org.example.Job --verbose --executor-memory=4g"
                + " --conf spark.executor.cores=3 --conf spark.sql.shuffle.partitions=7 job.jar --master input");
    assertThat(submit.program()).isEqualTo("/opt/spark/bin/spark-submit");
    assertThat(submit.options())
        .containsExactly(
            "--class", "org.example.Job", "--verbose", "--conf", "spark.sql.shuffle.partitions=7");
    assertThat(submit.application()).containsExactly("job.jar", "--master", "input");
    assertThat(submit.replaced())
        .containsExactly("--master local[4]", "--executor-memory 4g", "spark.executor.cores=3");
  }

  @Test
  void writesTheCommandOfARun() {
    SparkSubmit submit =
        parse("spark-submit --name {{arm}} job.py --output /tmp/{{run}}/{{round}}");
    assertThat(submit.hasPlaceholder()).isTrue();
    assertThat(
            submit.command(
                "/s/bin/spark-submit",
                new TreeMap<>(Map.of("spark.master", "local-cluster[1,1,1024]")),
                Map.of("arm", "free", "run", "r7", "round", "3")))
        .containsExactly(
            "/s/bin/spark-submit",
            "--name",
            "free",
            "--conf",
            "spark.master=local-cluster[1,1,1024]",
            "job.py",
            "--output",
            "/tmp/r7/3");
  }

  @Test
  void dividesTheHeapAndGivesEachExecutorItsJava() {
    LocalArm arm = LocalArm.baseline("free", "", 4, 2).with(Map.of("spark.plugins", "a.B"));
    assertThat(SparkSubmit.properties(arm, 8192, Path.of("/t/java"), Path.of("/t/events")))
        .containsEntry("spark.master", "local-cluster[4,2,5120]")
        .containsEntry("spark.executor.memory", "2048m")
        .containsEntry("spark.executor.cores", "2")
        .containsEntry("spark.executorEnv.JAVA_HOME", "/t/java")
        .containsEntry("spark.eventLog.dir", "file:///t/events")
        .containsEntry("spark.plugins", "a.B");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java -jar job.jar",
        "spark-submit",
        "spark-submit --class a.B",
        "spark-submit --class",
        "my-spark-submit job.jar"
      })
  void refusesWhatIsNoApplication(String command) {
    assertThatThrownBy(() -> parse(command)).isInstanceOf(InputException.class);
  }

  private static SparkSubmit parse(String command) {
    return SparkSubmit.parse(List.of(command.split(" ")));
  }
}

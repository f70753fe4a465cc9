package io.numaspark.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TrialRequestTest {

  @Test
  void theCommandIsRepeatedWithTheHeapThatWasMeasured() {
    List<String> submit =
        List.of("spark-submit", "--class", "a.B", "job.jar", "--out", "/o/{{run}}");
    TrialRequest request =
        new TrialRequest(
            submit,
            List.of(
                "trial",
                "--study",
                "heap",
                "--writes",
                "elsewhere",
                "--",
                "spark-submit",
                "--class",
                "a.B",
                "job.jar",
                "--out",
                "/o/{{run}}",
                "it's $HOME"));
    assertThat(request.repeat(4096))
        .isEqualTo(
            "numaspark trial --study heap --writes elsewhere --heap 4096 -- spark-submit --class a.B job.jar --out '/o/{{run}}' 'it'\\''s $HOME'");
  }

  @Test
  void whatWasGivenStays() {
    TrialRequest built =
        new TrialRequest(List.of(), List.of("trial", "--heap=2048", "--workload", "kmeans"));
    assertThat(built.repeat(1)).isEqualTo("numaspark trial --heap=2048 --workload kmeans");
    TrialRequest open = new TrialRequest(List.of(), List.of("trial", "--workload", "kmeans"));
    assertThat(open.repeat(7)).isEqualTo("numaspark trial --workload kmeans --heap 7");
    // Of the application, not of the trial.
    TrialRequest same =
        new TrialRequest(List.of(), List.of("trial", "--", "spark-submit", "a.py", "--heap", "1"));
    assertThat(same.repeat(7)).isEqualTo("numaspark trial --heap 7 -- spark-submit a.py --heap 1");
  }
}

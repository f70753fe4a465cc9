package io.numaspark.render.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceNamesTest {
  private static final String LONGEST = "a".repeat(62) + "b";

  @Test
  void shortNamesAreKept() {
    ResourceNames names = ResourceNames.of("pi", "uid");
    assertThat(names.driverPod()).isEqualTo("pi-driver");
    assertThat(names.driverService()).isEqualTo("pi-driver-svc");
    assertThat(names.configMap()).isEqualTo("pi-driver-conf");
    assertThat(names.executorPrefix()).isEqualTo("pi");
    assertThat(names.label()).isEqualTo("pi");
    assertThat(names.sparkAppId()).matches("spark-[0-9a-f]{32}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "7-days",
        "4711",
        "word.count",
        "1.2.3",
        "a.b-c.d",
        "name-of-exactly-forty-seven-characters-in-length",
        "ends-with-a-dash-where-it-is-cut-to-the-limit-x-y-z",
        "2026-11-21.a.rather.long.name.with.a.date.in.front.of.it.abcdef"
      })
  void everyNameIsADnsLabelThatSparkTakes(String name) {
    ResourceNames names = ResourceNames.of(name, "uid");
    assertThat(List.of(names.driverService(), names.configMap()))
        .allSatisfy(
            dns -> assertThat(dns).matches("[a-z]([-a-z0-9]*[a-z0-9])?").hasSizeLessThan(64));
    assertThat(names.executorPrefix())
        .matches("[a-z]([-a-z0-9]*[a-z0-9])?")
        .hasSizeLessThanOrEqualTo(47);
    assertThat(names.label()).isEqualTo(name);
  }

  @Test
  void equalInputGivesEqualNames() {
    assertThat(ResourceNames.of(LONGEST, "uid")).isEqualTo(ResourceNames.of(LONGEST, "uid"));
  }

  @Test
  void anotherUidIsAnotherRunWithTheSamePods() {
    ResourceNames first = ResourceNames.of("pi", "first");
    ResourceNames second = ResourceNames.of("pi", "second");
    assertThat(second.driverPod()).isEqualTo(first.driverPod());
    assertThat(second.sparkAppId()).isNotEqualTo(first.sparkAppId());
  }

  @ParameterizedTest
  @CsvSource({
    "a.b, a-b",
    "a.b.c, a-b.c",
    "7, spark-7",
    "7.x, 7-x",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab,"
        + " aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"
  })
  void differentApplicationsNeverShareAName(String one, String other) {
    ResourceNames first = ResourceNames.of(one, "uid");
    ResourceNames second = ResourceNames.of(other, "uid");
    assertThat(first.driverPod()).isNotEqualTo(second.driverPod());
    assertThat(first.driverService()).isNotEqualTo(second.driverService());
    assertThat(first.configMap()).isNotEqualTo(second.configMap());
    assertThat(first.executorPrefix()).isNotEqualTo(second.executorPrefix());
  }

  @Test
  void laterAttemptsHaveNamesOfTheirOwn() {
    ResourceNames second = ResourceNames.of("pi", "uid", 2);
    assertThat(second.driverPod()).isEqualTo("pi-driver-2");
    assertThat(second.driverService()).isEqualTo("pi-driver-2-svc");
    assertThat(second.configMap()).isEqualTo("pi-driver-2-conf");
    assertThat(second.executorPrefix()).matches("pi-2-[0-9a-f]{8}");
    assertThat(second.sparkAppId()).isNotEqualTo(ResourceNames.of("pi", "uid").sparkAppId());
    assertThat(ResourceNames.of(LONGEST, "uid", 1000000).executorPrefix())
        .hasSizeLessThanOrEqualTo(47);
  }

  @Test
  void anotherDriverPodChangesNothingElse() {
    ResourceNames names = ResourceNames.of("pi", "uid");
    assertThat(names.withDriverPod("own").driverPod()).isEqualTo("own");
    assertThat(names.withDriverPod("own").withDriverPod("pi-driver")).isEqualTo(names);
  }

  /** Airflow and the Kubeflow SDK look for this name. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "7-days", "1.2.3", "a.b-c.d"})
  void theDriverPodIsTheApplicationsNameWithoutAHash(String name) {
    assertThat(ResourceNames.of(name, "uid").driverPod()).isEqualTo(name + "-driver");
    assertThat(ResourceNames.of(LONGEST, "uid").driverPod()).isEqualTo(LONGEST + "-driver");
    assertThat(ResourceNames.of(LONGEST, "uid", 1000000).driverPod())
        .isEqualTo(LONGEST + "-driver-1000000")
        .hasSizeLessThan(253);
  }
}

package io.numaspark.controller.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Taint;
import io.numaspark.render.autoscaler.NodeTaint;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which places of a node's taints a patch names; AdmissionIT has an API server carry it out. */
class StartupTaintTest {
  private static final String STEP =
      "{\"op\":\"test\",\"path\":\"/spec/taints/%1$s/key\",\"value\":\""
          + NodeTaint.SLOTS_PENDING
          + "\"},{\"op\":\"remove\",\"path\":\"/spec/taints/%1$s\"}";

  @ParameterizedTest
  @CsvSource({"p, 0", "a p, 1", "p a b, 0", "p a p, 2 0", "a, ''"})
  void everyStartupTaintIsTestedAndRemovedFromTheLastToTheFirst(String taints, String places) {
    List<Taint> list =
        Arrays.stream(taints.split(" "))
            .map(key -> key.equals("p") ? NodeTaint.SLOTS_PENDING : key)
            .map(key -> new Taint("NoSchedule", key, null, null))
            .toList();
    List<String> steps =
        Arrays.stream(places.split(" "))
            .filter(place -> !place.isEmpty())
            .map(STEP::formatted)
            .toList();
    assertThat(StartupTaint.patch(list)).isEqualTo("[" + String.join(",", steps) + "]");
  }
}

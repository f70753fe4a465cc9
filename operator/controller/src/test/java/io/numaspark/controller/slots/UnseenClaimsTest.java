package io.numaspark.controller.slots;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.numaspark.api.v1alpha1.SparkNodeTopologyStatus;
import io.numaspark.controller.fixture.Samples;
import io.numaspark.planner.capacity.Claim;
import io.numaspark.planner.capacity.Occupant;
import io.numaspark.planner.topology.Machine;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnseenClaimsTest {
  private static final Machine DUAL_SOCKET = Samples.machine(Samples.dualSocket("n"));

  /** NUMA node 0 has the cores 0,8 (reserved) to 3,11 and node 1 has 4,12 to 7,15. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          nothing                     | []                                                  | ""
          a whole core                | [{pod: db, cpus: '1,9'}]                            | 0:2
          half a core                 | [{pod: db, cpus: '1'}]                              | 0:2
          two halves of one core      | [{pod: db, cpus: '1'}, {pod: web, cpus: '9'}]       | 0:2
          two halves of two cores     | [{pod: db, cpus: '1'}, {pod: web, cpus: '2'}]       | 0:4
          on two NUMA nodes           | [{pod: db, cpus: '3-4,11-12'}]                      | 0:2 1:2
          the thread of a reserved one | [{pod: db, cpus: '0,8'}]                           | ""
          seen by the operator        | [{pod: mine, cpus: '1-2,9-10'}, {pod: db, cpus: '3,11'}] | 0:2
          known to the kernel alone   | [{kernelCpus: '1-2,9-10'}]                          | ""
          memory alone                | [{pod: db, memoryNodes: '0'}]                       | ""
          a list that is none         | [{pod: db, cpus: 'x'}]                              | 0:6 1:8
          """)
  void coresAreHeldWhole(String what, String exclusive, String expected) {
    SparkNodeTopologyStatus status =
        Serialization.unmarshal("exclusive: " + exclusive, SparkNodeTopologyStatus.class);
    List<Occupant> claims =
        UnseenClaims.of(
            status.exclusive(), container -> "mine".equals(container.pod()), DUAL_SOCKET);
    assertThat(
            claims.stream()
                .map(
                    claim ->
                        claim.name().replaceAll("\\D", "")
                            + ":"
                            + claim.claims().stream().mapToInt(Claim::cpus).sum())
                .collect(Collectors.joining(" ")))
        .isEqualTo(expected);
  }
}

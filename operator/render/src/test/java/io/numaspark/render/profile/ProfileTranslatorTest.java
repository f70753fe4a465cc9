package io.numaspark.render.profile;

import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.numaspark.planner.jvm.Collector;
import io.numaspark.planner.jvm.TransparentHugePages;
import io.numaspark.planner.jvm.Vendor;
import io.numaspark.planner.plan.ShapePolicy;
import io.numaspark.planner.plan.SmtMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileTranslatorTest {
  @Test
  void absentFieldsHaveTheDefaultsOfTheSchema() {
    ShapePolicy policy = ProfileTranslator.policy(profile());
    assertThat(policy.cores().max()).isEqualTo(6);
    assertThat(policy.memory().maxHeapBytes()).isEqualTo(30L << 30);
    assertThat(
            ProfileTranslator.policy(
                profile(
                    "smt: {}", "jvm: {}", "executor: {coresPerExecutor: {}, memoryOverhead: {}}")))
        .isEqualTo(policy);
  }

  @Test
  void everyFieldIsTaken() {
    ShapePolicy policy =
        ProfileTranslator.policy(
            profile(
                "smt: {mode: Shared, tasksPerCore: 4}",
                "executor: {coresPerExecutor: {min: 3, max: 8, preferred: 5}, maxHeap: 40Gi,"
                    + " allowLargeHeap: true, memoryOverhead: {factor: '0.25', min: 1Gi}, offHeap: 2Gi}",
                "jvm: {vendor: HotSpot, version: 21, collector: ZGC, objectAlignment: 16, preTouch: false,"
                    + " transparentHugePages: Disabled,"
                    + " extraOptions: [-Xmn1g, -Da=b]}"));
    assertThat(policy.cores().min()).isEqualTo(3);
    assertThat(policy.cores().max()).isEqualTo(8);
    assertThat(policy.cores().preferred()).hasValue(5);
    assertThat(policy.smt()).isEqualTo(SmtMode.SHARED);
    assertThat(policy.tasksPerCore()).hasValue(4);
    assertThat(policy.memory().maxHeapBytes()).isEqualTo(40L << 30);
    assertThat(policy.memory().overheadFactor()).isEqualTo(0.25);
    assertThat(policy.memory().minOverheadBytes()).isEqualTo(1L << 30);
    assertThat(policy.memory().offHeapBytes()).isEqualTo(2L << 30);
    assertThat(policy.jvm().vendor()).isEqualTo(Vendor.HOTSPOT);
    assertThat(policy.jvm().collector()).isEqualTo(Collector.ZGC);
    assertThat(policy.jvm().preTouch()).isFalse();
    assertThat(policy.jvm().transparentHugePages()).isEqualTo(TransparentHugePages.DISABLED);
    assertThat(policy.jvm().extraOptions()).containsExactly("-Xmn1g", "-Da=b");
    assertThat(policy.jvm().version()).hasValue(21);
    assertThat(policy.jvm().objectAlignment()).isEqualTo(16);
  }

  @Test
  void extraOptionsAreSplitAsAShellDoes() {
    assertThat(
            ProfileTranslator.policy(profile("jvm: {extraOptions: ['-Da=b -Dc=d', '-De=\"f g\"']}"))
                .jvm()
                .extraOptions())
        .containsExactly("-Da=b", "-Dc=d", "-De=f g");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {coresPerExecutor: {min: 7}}'           | spec.executor.coresPerExecutor: min must not be larger than max
          'executor: {maxHeap: 99999999Ti}'                  | spec.executor.maxHeap: above the compressed-oops limit (32766Mi on HotSpot at most
          'executor: {maxHeap: 511Mi}'                       | spec.executor.maxHeap: Spark needs a heap of at least 512Mi
          'executor: {maxHeap: 32Gi}'                        | spec.executor.maxHeap: above the compressed-oops limit
          'executor: {maxHeap: 58Gi}, jvm: {vendor: OpenJ9}' | spec.executor.maxHeap: above the compressed-oops limit
          'smt: {mode: Isolated, tasksPerCore: 2}'           | spec.smt.tasksPerCore: only mode Shared
          'executor: {maxHeap: 32257Mi}'                     | spec.executor.maxHeap: above the compressed-oops limit (32256Mi
          'executor: {maxHeap: 32737Mi}, jvm: {version: 17}' | spec.executor.maxHeap: above the compressed-oops limit (32736Mi
          'executor: {maxHeap: 32767Mi}, jvm: {collector: Parallel}' | spec.executor.maxHeap: above the compressed-oops limit (32766Mi
          'executor: {maxHeap: 32500Mi}, jvm: {collector: Auto, extraOptions: ["-XX:+UseG1GC"]}' | spec.executor.maxHeap: above the compressed-oops limit (32256Mi
          'executor: {maxHeap: 32257Mi}, jvm: {collector: ZGC}' | spec.executor.maxHeap: above the compressed-oops limit (32256Mi
          'executor: {maxHeap: 65025Mi}, jvm: {objectAlignment: 16}' | spec.executor.maxHeap: above the compressed-oops limit (65024Mi
          'jvm: {objectAlignment: 32}'                       | spec.jvm.objectAlignment: give 8 or 16
          'jvm: {vendor: OpenJ9, objectAlignment: 16}'       | spec.jvm.objectAlignment: give 8 or 16; OpenJ9 has
          'jvm: {extraOptions: ["-Da=b -Xms4g"]}'            | spec.jvm.extraOptions: -Xms4g: Spark sets the initial and the largest heap
          'jvm: {extraOptions: ["-XX:+DisableExplicitGC"]}'  | spec.jvm.extraOptions: -XX:+DisableExplicitGC: System.gc is what frees
          'jvm: {extraOptions: ["-XX:ParallelGCThreads=7"]}' | spec.jvm.extraOptions: -XX:ParallelGCThreads=7: an executor has 6 cores
          'jvm: {extraOptions: ["-XX:+UseG1GC", "-XX:+UseZGC"]}' | spec.jvm.extraOptions: -XX:+UseG1GC -XX:+UseZGC: two collectors
          'jvm: {collector: G1, extraOptions: ["-XX:+UseZGC"]}' | spec.jvm.extraOptions: spec.jvm.collector chooses a collector already
          'jvm: {extraOptions: ["-Xgcpolicy:gencon"]}'       | spec.jvm.extraOptions: -Xgcpolicy:gencon: is an option of OpenJ9
          'jvm: {vendor: OpenJ9, extraOptions: ["-XX:+UseG1GC"]}' | spec.jvm.extraOptions: -XX:+UseG1GC: is an option of HotSpot
          'jvm: {vendor: OpenJ9, collector: G1}'             | spec.jvm.collector: OpenJ9 always gets
          """)
  void whatCannotBePlannedIsRefused(String field, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProfileTranslator.policy(profile(field)))
        .withMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {coresPerExecutor: {min: 1, max: 256, preferred: 256}}'
          'executor: {maxHeap: 32256Mi}'
          'executor: {maxHeap: 32736Mi}, jvm: {version: 17}'
          'executor: {maxHeap: 32766Mi}, jvm: {collector: Parallel, version: 25}'
          'executor: {maxHeap: 32766Mi}, jvm: {extraOptions: ["-XX:+UseParallelGC"]}'
          'executor: {maxHeap: 62Gi}, jvm: {objectAlignment: 16}'
          'executor: {maxHeap: 30Gi}, jvm: {collector: ZGC, version: 21}'
          'jvm: {collector: Shenandoah}'
          'jvm: {extraOptions: ["-XX:ParallelGCThreads=6"]}'
          'executor: {maxHeap: 512Mi, offHeap: "0"}'
          'executor: {maxHeap: 57Gi}, jvm: {vendor: OpenJ9, collector: Auto}'
          'executor: {memoryOverhead: {factor: "0", min: "0"}}'
          'executor: {memoryOverhead: {factor: "1.000"}}'
          'smt: {mode: Isolated, tasksPerCore: 1}'
          'smt: {tasksPerCore: 8}'
          """)
  void whatTheSchemaAdmitsIsAdmitted(String field) {
    assertThat(ProfileTranslator.policy(profile(field))).isNotNull();
  }
}

package io.numaspark.render.application;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.context;
import static io.numaspark.render.fixture.Specs.node;
import static io.numaspark.render.fixture.Specs.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.api.v1alpha1.SparkApplication;
import io.numaspark.api.v1alpha1.SparkNodeProfileSpec;
import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult.Manifests;
import io.numaspark.render.application.RenderResult.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamicExecutorsTest {
  private static final String PREFIX = "spark.dynamicAllocation.";

  /** Four slots of 3 cores, 6 task slots each. */
  private final ProfileContext profile =
      context(profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}"), node("a", 7));

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'enabled: true'                                             | '{}'             | 0 0 -
          'enabled: true, minExecutors: 2, maxExecutors: 9'           | '{}'             | 2 2 9
          'enabled: true, initialExecutors: 4, maxExecutors: 9'       | '{}'             | 4 0 9
          'enabled: true, minExecutors: 1, maxExecutors: 9'           | '{instances: 5}' | 5 1 9
          'enabled: true, maxExecutors: 3'                            | '{instances: 5}' | 3 0 3
          """)
  void ordinaryExecutorsAreAsWritten(String dynamic, String executor, String wanted) {
    Manifests manifests = ordinary("dynamicAllocation: {" + dynamic + "}", "executor: " + executor);
    assertThat(numbers(manifests.sparkConf())).isEqualTo(wanted);
    assertThat(manifests.sparkConf())
        .containsEntry(PREFIX + "enabled", "true")
        .containsEntry(PREFIX + "shuffleTracking.enabled", "true")
        .doesNotContainKey("spark.executor.instances");
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'enabled: true'                                       | '{}'                     | 0 0 4
          'enabled: true, maxExecutors: 3'                      | '{}'                     | 0 0 3
          'enabled: true, maxExecutors: 3'                      | '{cores: 2}'             | 0 0 1
          'enabled: true, minExecutors: 2, maxExecutors: 8'     | '{cores: 3}'             | 1 1 4
          'enabled: true, initialExecutors: 1'                  | '{instances: 4, cores: 6}' | 4 0 4
          'enabled: true'                                       | '{nodes: 1}'             | 4 0 4
          """)
  void withAProfileTheyAreSplitAgainWithinItsSlots(String dynamic, String executor, String wanted) {
    Manifests manifests = pinned("dynamicAllocation: {" + dynamic + "}", "executor: " + executor);
    assertThat(numbers(manifests.sparkConf())).isEqualTo(wanted);
    assertThat(manifests.warnings()).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'enabled: true'                                   | '{}'                                     | 0 0 -
          'enabled: true, minExecutors: 5, maxExecutors: 40' | '{}'                                     | 5 5 40
          'enabled: true'                                   | '{nodes: 3}'                             | 12 0 -
          'enabled: true, maxExecutors: 40'                 | '{sizing: Exact, cores: 6, memory: 4g}'  | 0 0 40
          'enabled: true'                                   | '{sizing: Exact, cores: 6, memory: 4g, nodes: 2}' | 8 0 -
          """)
  void slotsThatExistDoNotBoundAProfileThatGrows(String dynamic, String executor, String wanted) {
    SparkNodeProfileSpec growing =
        profile("executor: {coresPerExecutor: {preferred: 3}, maxHeap: 6Gi}", "nodeTemplates: [a]");
    ProfileContext onNodes = context(growing, node("a", 7));
    ProfileContext onTemplates =
        ProfileContext.onTemplates("test", growing, onNodes.policy(), onNodes.plan());
    for (ProfileContext of : List.of(onNodes, onTemplates)) {
      Manifests manifests =
          pinned(of, "dynamicAllocation: {" + dynamic + "}", "executor: " + executor);
      assertThat(numbers(manifests.sparkConf())).as(of.supply().name()).isEqualTo(wanted);
      assertThat(manifests.warnings()).isEmpty();
    }
  }

  @Test
  void moreThanTheSlotsIsBoundedAndSaid() {
    Manifests manifests =
        pinned("dynamicAllocation: {enabled: true, minExecutors: 5, maxExecutors: 40}");
    assertThat(numbers(manifests.sparkConf())).isEqualTo("4 4 4");
    assertThat(manifests.warnings())
        .containsExactly(
            "spec.dynamicAllocation.maxExecutors: comes to 40 executors, but the profile's slots"
                + " hold 4; 4 is taken",
            "spec.dynamicAllocation.minExecutors: comes to 5 executors, but the profile's slots"
                + " hold 4; 4 is taken");
  }

  @Test
  void theUsersOwnPropertiesAreTakenAsTheyAre() {
    Manifests manifests =
        pinned(
            "executor: {cores: 3}",
            "sparkConf: {spark.dynamicAllocation.enabled: 'true',"
                + " spark.dynamicAllocation.maxExecutors: '9', spark.dynamicAllocation.minExecutors: '1'}");
    assertThat(numbers(manifests.sparkConf())).isEqualTo("1 1 9");
    assertThat(manifests.executors().range())
        .hasValueSatisfying(range -> assertThat(range.maximum()).hasValue(9));
    assertThat(manifests.warnings()).singleElement().asString().contains("waits for a slot");
  }

  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '{enabled: true}'   | '{spark.dynamicAllocation.enabled: "false"}'                | false
          '{enabled: false}'  | '{spark.dynamicAllocation.enabled: "true"}'                 | true
          '{}'                | '{}'                                                        | false
          '{enabled: true}'   | '{spark.dynamicAllocation.shuffleTracking.enabled: "false"}' | true
          """)
  void thePropertySwitchesItOnAndOff(String dynamic, String conf, boolean enabled) {
    Manifests manifests = ordinary("dynamicAllocation: " + dynamic, "sparkConf: " + conf);
    assertThat(manifests.executors().range().isPresent()).isEqualTo(enabled);
    assertThat(manifests.sparkConf().containsKey("spark.executor.instances")).isEqualTo(!enabled);
    SortedMap<String, String> users = new TreeMap<>(manifests.sparkConf());
    assertThat(users).containsAllEntriesOf(usersOwn(conf));
  }

  @Test
  void theShuffleTimeoutIsInMilliseconds() {
    assertThat(
            ordinary("dynamicAllocation: {enabled: true, shuffleTrackingTimeout: 1500}")
                .sparkConf())
        .containsEntry(PREFIX + "shuffleTracking.timeout", "1500ms");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'dynamicAllocation: {enabled: true, minExecutors: 3, maxExecutors: 2}' | spec.dynamicAllocation: minExecutors is larger than maxExecutors
          'dynamicAllocation: {enabled: true, initialExecutors: 3, maxExecutors: 2}' | spec.dynamicAllocation: initialExecutors is larger than maxExecutors
          'sparkConf: {spark.dynamicAllocation.enabled: "true", spark.dynamicAllocation.maxExecutors: "0"}' | spec.sparkConf["spark.dynamicAllocation.maxExecutors"]: is 0
          'sparkConf: {spark.dynamicAllocation.maxExecutors: all}' | spec.sparkConf["spark.dynamicAllocation.maxExecutors"]: 'all' is not a number
          'sparkConf: {spark.dynamicAllocation.minExecutors: "-1"}' | spec.sparkConf["spark.dynamicAllocation.minExecutors"]: '-1' is not a number
          """)
  void boundsThatContradictEachOtherAreRefused(String field, String message) {
    RenderResult result =
        new ApplicationRenderer("spark").render(application(field), Optional.empty());
    assertThat(result).isInstanceOf(Refusal.class);
    assertThat(((Refusal) result).message()).startsWith(message).contains(";");
  }

  private static Map<String, String> usersOwn(String conf) {
    return Optional.ofNullable(application("sparkConf: " + conf).getSpec().sparkConf())
        .orElse(Map.of());
  }

  /** Initial, least and most. */
  private static String numbers(SortedMap<String, String> conf) {
    return conf.get(PREFIX + "initialExecutors")
        + " "
        + conf.get(PREFIX + "minExecutors")
        + " "
        + conf.getOrDefault(PREFIX + "maxExecutors", "-");
  }

  private Manifests pinned(String... fields) {
    return pinned(profile, fields);
  }

  private static Manifests pinned(ProfileContext profile, String... fields) {
    SparkApplication application = application(fields);
    RenderResult result =
        new ApplicationRenderer("spark").render(withProfile(fields), Optional.of(profile));
    assertThat(result).as(application.toString()).isInstanceOf(Manifests.class);
    return (Manifests) result;
  }

  private static SparkApplication withProfile(String... fields) {
    String[] all = new String[fields.length + 1];
    all[0] = "nodeProfile: test";
    System.arraycopy(fields, 0, all, 1, fields.length);
    return application(all);
  }

  private static Manifests ordinary(String... fields) {
    RenderResult result =
        new ApplicationRenderer("spark").render(application(fields), Optional.empty());
    assertThat(result).isInstanceOf(Manifests.class);
    return (Manifests) result;
  }
}

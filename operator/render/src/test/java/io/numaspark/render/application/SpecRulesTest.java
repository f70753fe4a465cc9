package io.numaspark.render.application;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.fixture.Resources;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {instances: 0}'                    | spec.executor.instances: 0 is out of range
          'executor: {instances: -3}'                   | spec.executor.instances: -3 is out of range
          'executor: {instances: 100001}'               | spec.executor.instances: 100001 is out of range
          'executor: {cores: -1}'                       | spec.executor.cores: -1 is out of range
          'executor: {cores: 1025}'                     | spec.executor.cores: 1025 is out of range
          'executor: {nodes: 0}'                        | spec.executor.nodes: 0 is out of range
          'executor: {memory: -1g}'                     | spec.executor.memory: '-1g' is no memory size
          'executor: {memory: 0g}'                      | spec.executor.memory: '0g' is too small
          'executor: {memory: 1.5g}'                    | spec.executor.memory: '1.5g' is no memory size
          'executor: {memory: 999999999999999999999g}'  | spec.executor.memory: '999999999999999999999g' is too large
          'executor: {memoryOverhead: some}'            | spec.executor.memoryOverhead: 'some' is no memory size
          'executor: {coreRequest: -1}'                 | spec.executor.coreRequest: '-1' is no amount of CPU
          'executor: {coreLimit: two}'                  | spec.executor.coreLimit: 'two' is no amount of CPU
          'executor: {instances: 2, nodes: 2}'          | spec.executor: instances and nodes are both given
          'executor: {sizing: Exact}'                   | spec.executor.sizing: Exact needs spec.nodeProfile
          'executor: {nodes: 2}'                        | spec.executor.nodes: whole nodes can only be asked for with spec.nodeProfile
          'driver: {cores: 0}'                          | spec.driver.cores: 0 is out of range
          'driver: {coreRequest: 0}'                    | spec.driver.coreRequest: '0' is no amount of CPU
          'driver: {coreLimit: 1.2345}'                 | spec.driver.coreLimit: '1.2345' is no amount of CPU
          'driver: {memory: big}'                       | spec.driver.memory: 'big' is no memory size
          'driver: {memoryOverhead: -5m}'               | spec.driver.memoryOverhead: '-5m' is no memory size
          """)
  void whatTheSchemaRefusesIsRefusedHereToo(String field, String message) {
    assertMessage(ApplicationRenderer.check(spec(field)), message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          '{}'                                             | spec.type: is missing
          '{type: Java}'                                   | spec.image: is missing
          '{type: Java, image: ""}'                        | spec.image: is missing
          '{type: Java, image: i}'                         | spec.mainApplicationFile: is missing
          '{type: Scala, image: i, mainApplicationFile: f}' | spec.mainClass: is missing
          """)
  void whatIsMissingIsNamed(String spec, String message) {
    assertMessage(
        ApplicationRenderer.check(
            Resources.application("{metadata: {name: a}, spec: " + spec + "}").getSpec()),
        message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          'executor: {instances: 1, cores: 1, memory: 1m}'
          'executor: {instances: 100000, cores: 1024, memory: 64t}'
          'executor: {coreRequest: 500m, coreLimit: 1.5, memoryOverhead: 1g}'
          'nodeProfile: p, executor: {nodes: 10000}'
          'nodeProfile: p, executor: {coreRequest: 1, coreLimit: 1200m, memoryOverhead: 1g, memoryLimit: 4g}'
          'nodeProfile: p, executor: {sizing: Exact, memoryOverhead: 1g}'
          'driver: {cores: 1024, coreRequest: 1m, coreLimit: 2, memory: 512, memoryOverhead: 1Gi}'
          """)
  void whatTheSchemaAdmitsIsAdmitted(String field) {
    assertThat(ApplicationRenderer.check(spec(field))).isEmpty();
  }

  @Test
  void aRefusedSpecIsNotRendered() {
    RenderResult result =
        new ApplicationRenderer("spark")
            .render(application("executor: {instances: -1}"), Optional.empty());
    assertThat(result).isInstanceOf(RenderResult.Refusal.class);
    assertThat(((RenderResult.Refusal) result).reason()).isEqualTo("SpecInvalid");
  }

  private static void assertMessage(Optional<RenderResult.Refusal> refusal, String message) {
    assertThat(refusal).isPresent();
    assertThat(refusal.get().message()).startsWith(message);
    // After the problem comes what to do about it.
    assertThat(refusal.get().message()).containsPattern("[;:] (give|write|remove|use|a Java)");
  }
}

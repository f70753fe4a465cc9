package io.numaspark.render.rules;

import static io.numaspark.render.fixture.Specs.application;
import static io.numaspark.render.fixture.Specs.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.render.ApplicationRenderer;
import io.numaspark.render.application.RenderResult;
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
          'executor: {instances: 0}'              | spec.executor.instances: Invalid value: 0: spec.executor.instances in body should be greater than or equal to 1
          'executor: {instances: 2, nodes: 2}'    | [spec.executor.nodes: whole nodes can only be requested with spec.nodeProfile; use spec.executor.instances, spec.executor: give instances or nodes, not both]
          'driver: {memory: 65t}'                 | spec.driver.memory: '65t' is too large: no machine has it; give at most 64t
          'proxyUser: " "'                        | spec.proxyUser: is empty; give a user's name or remove it
          'sparkConf: {spark.task.cpus: ~}'       | spec.sparkConf["spark.task.cpus"]: has no value; give one or remove the property
          'driver: {coreLimit: 1, coreRequest: 2}' | spec.driver.coreLimit: 1 is less than the request of 2; give as much or more, or a smaller coreRequest
          """)
  void whatTheSchemaRefusesAndWhatItCannotSay(String field, String message) {
    assertThat(ApplicationRenderer.check(application(field).getSpec()))
        .hasValueSatisfying(refusal -> assertThat(refusal.message()).isEqualTo(message));
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
}

package io.numaspark.controller.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatus;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatusBuilder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RightsCheckTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  /** An authorizer that lets everybody read pods. */
  private static SubjectAccessReviewStatus readPods(ResourceAttributes question) {
    boolean allowed = question.getVerb().equals("get") && question.getResource().equals("pods");
    return new SubjectAccessReviewStatusBuilder()
        .withAllowed(allowed)
        .withReason(allowed ? "RBAC: allowed by reader" : null)
        .build();
  }

  private int check(String... claims) {
    return new RightsCheck(
            RightsCheckTest::readPods, new PrintStream(printed, true, StandardCharsets.UTF_8))
        .run(List.of(claims));
  }

  private String[] lines() {
    return printed.toString(StandardCharsets.UTF_8).split("\n");
  }

  @Test
  void allClaimsHold() {
    assertThat(check("may get pods in default", "may not get secrets")).isZero();
    assertThat(lines())
        .containsExactly(
            "ok    may get pods in default",
            "ok    may not get secrets",
            "2 of 2 rights are as they should be");
  }

  @Test
  void saysWhatIsMissingAndWhatIsTooMuch() {
    assertThat(check("may list pods", "may not get pods:driver in default", "may not delete pods"))
        .isEqualTo(1);
    assertThat(lines())
        .containsExactly(
            "WRONG may list pods: it is denied",
            "WRONG may not get pods:driver in default: it is allowed, RBAC: allowed by reader",
            "ok    may not delete pods",
            "1 of 3 rights are as they should be");
  }

  @Test
  void readsEveryPartOfAQuestion() {
    assertThat(
            RightsClaim.of("may not patch sparkapplications.numaspark.io/status:pi in team-a")
                .question())
        .isEqualTo(
            new ResourceAttributesBuilder()
                .withVerb("patch")
                .withResource("sparkapplications")
                .withGroup("numaspark.io")
                .withSubresource("status")
                .withName("pi")
                .withNamespace("team-a")
                .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "get pods", "may get", "may get pods in", "may get pods in a b", "may not"})
  void whatIsNoRightIsNamed(String text) {
    assertThat(check("may get pods", text)).isEqualTo(2);
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("'" + text + "' is not a right; write:");
  }

  @Test
  void nothingToCheckIsAMistake() {
    assertThat(check()).isEqualTo(2);
    assertThat(lines()).singleElement().asString().startsWith("no rights are given");
  }
}

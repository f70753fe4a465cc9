package io.numaspark.render.application;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.numaspark.render.application.PodAdditions.By;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodAdditionsTest {
  private static final PodAdditions ONE = scheduled("1", "1", "a", "p");

  static Stream<Arguments> others() {
    return Stream.of(
        Arguments.of("label l", scheduled("2", "1", "a", "p")),
        Arguments.of("annotation a", scheduled("1", "2", "a", "p")),
        Arguments.of("schedulerName", scheduled("1", "1", "b", "p")),
        Arguments.of("priorityClassName", scheduled("1", "1", "a", "q")));
  }

  @ParameterizedTest
  @MethodSource("others")
  void twoValuesForOneThingAreAMistakeOfTheProgram(String thing, PodAdditions other) {
    assertThatIllegalStateException()
        .isThrownBy(() -> agree(ONE, other))
        .withMessage(
            thing + " of the driver pod: is given by First and by Second with another value");
  }

  @Test
  void whatPrometheusFindsHasOneValueToo() {
    PodAdditions scraped = PodAdditions.NONE.scrapedUnlessGiven(Map.of("port", "1"));
    assertThatIllegalStateException()
        .isThrownBy(() -> agree(scraped, PodAdditions.NONE.scrapedUnlessGiven(Map.of("port", "2"))))
        .withMessageStartingWith("default annotation port of the driver pod: ");
  }

  @Test
  void equalValuesAndOtherThingsAreAdmitted() {
    assertThatCode(() -> agree(ONE, scheduled("1", "1", "a", "p"))).doesNotThrowAnyException();
    // An annotation stands in the place of one that is given unless there is another.
    assertThatCode(() -> agree(ONE, PodAdditions.NONE.scrapedUnlessGiven(Map.of("a", "2"))))
        .doesNotThrowAnyException();
  }

  private static void agree(PodAdditions one, PodAdditions other) {
    PodAdditions.requireAgreement("driver", List.of(new By("First", one), new By("Second", other)));
  }

  private static PodAdditions scheduled(
      String label, String annotation, String scheduler, String priority) {
    return PodAdditions.scheduled(
        Map.of("l", label), Map.of("a", annotation), scheduler, Optional.of(priority));
  }
}

package io.numaspark.controller.webhook;

import static io.numaspark.controller.webhook.Offers.profile;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.numaspark.render.inject.PinningOffer;
import io.numaspark.render.inject.PinningOffer.None;
import io.numaspark.render.inject.PinningOffer.Usable;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OfferBookTest {
  @Test
  void manyChangesAreOnePlanning() {
    AtomicInteger plannings = new AtomicInteger();
    AtomicBoolean loaded = new AtomicBoolean();
    Map<String, PinningOffer> offers = Map.of("a", new None("no nodes"));
    try (OfferBook book =
        new OfferBook(
            loaded::get,
            () -> {
              plannings.incrementAndGet();
              return offers;
            })) {
      assertThat(book.isPlanned()).isFalse();
      assertThat(((None) book.offer("a")).why()).contains("has just started");
      for (int i = 0; i < 1000; i++) {
        book.changed();
      }
      await().during(OfferBook.PAUSE.multipliedBy(2)).until(() -> !book.isPlanned());
      loaded.set(true);
      await().until(book::isPlanned);
      assertThat(plannings).hasValue(1);
      assertThat(book.offer("a")).isEqualTo(new None("no nodes"));
      assertThat(((None) book.offer("b")).why())
          .isEqualTo("label numaspark.io/inject: there is no SparkNodeProfile b; name one of: a");
    }
  }

  @Test
  void aPlanningThatFailsLeavesWhatWasPlanned() {
    AtomicInteger plannings = new AtomicInteger();
    try (OfferBook book =
        new OfferBook(
            () -> true,
            () -> {
              if (plannings.incrementAndGet() == 2) {
                throw new IllegalStateException("a defect");
              }
              return Map.of("a", new None("edition " + plannings.get()));
            })) {
      book.changed();
      await().until(book::isPlanned);
      book.changed();
      await().until(() -> plannings.get() == 2);
      assertThat(book.offer("a")).isEqualTo(new None("edition 1"));
      book.changed();
      await().until(() -> book.offer("a").equals(new None("edition 3")));
    }
  }

  @Test
  void profilesOfferWhatTheyHave() {
    Offers planned = new Offers();
    Map<String, PinningOffer> offers =
        planned.of(
            profile("a", "{matchLabels: {pool: spark}}"),
            profile("b", "{matchLabels: {pool: spark}}"),
            profile("c", "{matchLabels: {pool: none}}"),
            profile("d", "{matchExpressions: [{key: pool, operator: Perhaps}]}"));
    assertThat(offers.get("a")).isInstanceOf(Usable.class);
    assertThat(((None) offers.get("b")).why())
        .startsWith("SparkNodeProfile b has no executor slot: ");
    assertThat(((None) offers.get("c")).why())
        .startsWith("SparkNodeProfile c has no executor slot: ");
    assertThat(((None) offers.get("d")).why()).contains("Perhaps");
    assertThat(planned.of(profile("b", "{matchLabels: {pool: spark}}")).get("b"))
        .as("the older profile is gone")
        .isInstanceOf(Usable.class);
    assertThat(planned.plans.profiles()).containsExactly("b");
  }
}

package numaspark.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import numaspark.adaptive.Messages.Learnt;
import org.junit.jupiter.api.Test;

class KnowledgeTest {
  private static final Learnt FOUR = new Learnt(4, Outcome.EXPLORED, 1e8);
  private static final Learnt ALL = new Learnt(16, Outcome.EXPLORED, 4e8);

  private final Knowledge knowledge = new Knowledge();

  @Test
  void ownFindingsBeforeThoseOfOthers() {
    knowledge.learn("s", "0", FOUR);
    knowledge.learn("s", "1", ALL);
    assertThat(knowledge.of("s", "0")).contains(FOUR);
    assertThat(knowledge.of("s", "1")).contains(ALL);
  }

  @Test
  void othersAreBelievedWhenTheyAgree() {
    knowledge.learn("s", "0", FOUR);
    assertThat(knowledge.of("s", "2")).contains(FOUR);
    knowledge.learn("s", "1", ALL);
    assertThat(knowledge.of("s", "2")).isEmpty();
  }

  @Test
  void forgetsASignature() {
    knowledge.learn("s", "0", FOUR);
    knowledge.forget("s");
    assertThat(knowledge.of("s", "0")).isEmpty();
    assertThat(knowledge.of("never", "0")).isEmpty();
  }

  @Test
  void isBounded() {
    for (int i = 0; i < 1100; i++) {
      knowledge.learn("s" + i, "0", FOUR);
    }
    assertThat(knowledge.of("s0", "0")).isEmpty();
    assertThat(knowledge.of("s1099", "0")).contains(FOUR);
  }
}

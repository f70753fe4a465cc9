package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NAME;
import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static io.numaspark.controller.certificate.TestCertificates.encoded;
import static io.numaspark.controller.certificate.TestCertificates.trusts;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.fixture.LoggedLines;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelfSignedCertificatesTest {
  private final MemoryCluster cluster = new MemoryCluster();
  private final FakeClock clock = new FakeClock(NOW);
  private final LoggedLines log = new LoggedLines();
  private final Replica replica = new Replica();

  /** A process with its own memory. */
  private final class Replica {
    final ServingKeys keys = new ServingKeys(clock);
    final SelfSignedCertificates certificates =
        new SelfSignedCertificates(cluster, cluster.configurations(), NAME, keys, clock);

    boolean look() {
      return certificates.look();
    }

    ServingKey served() {
      String alias = keys.keyManager().chooseEngineServerAlias("EC", null, null);
      return new ServingKey(
          keys.keyManager().getPrivateKey(alias),
          List.of(keys.keyManager().getCertificateChain(alias)));
    }
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void theFirstLookMakesServesAndPublishes() {
    cluster.configure();
    assertThat(replica.keys.reasonsNotReady())
        .containsExactly("the webhook has no certificate: the Secret was not read yet");
    assertThat(replica.look()).isTrue();
    assertThat(replica.keys.reasonsNotReady()).isEmpty();
    assertThat(replica.keys.expiry()).contains(NOW.plus(Duration.ofDays(90)));
    assertThat(replica.keys.expirySeconds())
        .isEqualTo(NOW.plus(Duration.ofDays(90)).getEpochSecond());
    assertThat(cluster.caBundle())
        .isEqualTo(cluster.read().orElseThrow().getData().get(SecretData.BUNDLE));
    assertThat(trusts(cluster.data().bundle(), replica.served(), NOW)).isTrue();
    assertThat(log.lines().get(0))
        .matches(
            "INFO Secret numaspark-system/numaspark-webhook has a new authority [0-9a-f]+ until"
                + " 2027-11-26T12:00:00Z and a new certificate [0-9a-f]+ until"
                + " 2027-02-24T12:00:00Z, because the Secret does not exist");
    assertThat(log.lines()).hasSize(3);
  }

  @Test
  void laterLooksWriteAndSayNothing() {
    cluster.configure();
    replica.look();
    int said = log.lines().size();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofMinutes(1));
      assertThat(replica.look()).isTrue();
    }
    assertThat(cluster.writes).isEqualTo(1);
    assertThat(cluster.patches).hasSize(1);
    assertThat(log.lines()).hasSize(said);
  }

  @Test
  void theReplicaThatIsSecondUsesWhatTheFirstWrote() {
    cluster.configure();
    Replica other = new Replica();
    cluster.beforeTheNextWrite(other::look);
    assertThat(replica.look()).isTrue();
    assertThat(cluster.writes).isEqualTo(1);
    assertThat(replica.served()).isEqualTo(other.served());
  }

  @Test
  void manyReplicasEndWithOneSecret() throws Exception {
    cluster.configure();
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      replicas.add(new Replica());
    }
    ExecutorService threads = Executors.newFixedThreadPool(replicas.size());
    CyclicBarrier start = new CyclicBarrier(replicas.size());
    List<Future<Boolean>> looks = new ArrayList<>();
    for (Replica each : replicas) {
      looks.add(
          threads.submit(
              () -> {
                start.await();
                return each.look();
              }));
    }
    for (Future<Boolean> look : looks) {
      look.get();
    }
    threads.shutdown();
    replicas.forEach(Replica::look);
    assertThat(cluster.writes).isEqualTo(1);
    assertThat(replicas.stream().map(Replica::served).distinct()).hasSize(1);
    assertThat(cluster.caBundle())
        .isEqualTo(cluster.read().orElseThrow().getData().get(SecretData.BUNDLE));
  }

  @Test
  void aRenewedCertificateIsTakenByTheOthers() {
    cluster.configure();
    Replica other = new Replica();
    replica.look();
    other.look();
    ServingKey first = replica.served();
    clock.advance(Duration.ofDays(61));
    replica.look();
    other.look();
    assertThat(replica.served()).isNotEqualTo(first).isEqualTo(other.served());
    assertThat(trusts(List.of(cluster.data().bundle().get(0)), other.served(), clock.instant()))
        .isTrue();
    assertThat(cluster.patches).as("the bundle is the same").hasSize(1);
  }

  /** What a person, a broken restore or another tool may leave in the Secret. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          empty      | authority and certificate | the Secret has no ca.crt; the Secret has no tls.crt
          no tls.crt | certificate | the Secret has no tls.crt
          no tls.key | certificate | the Secret has no tls.key
          no ca.crt  | authority and certificate | the Secret has no ca.crt; tls.crt is not signed by a valid certificate of ca.crt
          no ca.key  | authority   | the Secret has no ca.key
          other key  | certificate | tls.key does not fit the first certificate of tls.crt
          other name | certificate | tls.crt is for [other.svc] and not for numaspark-webhook.numaspark-system.svc
          expired    | authority and certificate | the first certificate of ca.crt has expired at 2025-11-26T12:00:00Z; tls.crt has expired at 2025-02-24T12:00:00Z
          future     | authority and certificate | the first certificate of ca.crt is valid from 2028-11-26T11:00:00Z; a clock is wrong; tls.crt is valid from 2028-11-26T11:00:00Z; a clock is wrong
          words      | authority and certificate | ca.crt has no certificate; tls.crt has no certificate
          """)
  void garbageIsReplacedWithOneLineThatSaysWhy(String garbage, String made, String why) {
    cluster.configure();
    cluster.put(garbage(garbage));
    assertThat(replica.look()).isTrue();
    SecretData data = cluster.data();
    assertThat(new CertificatePolicy(NAME).decide(data, NOW)).isEqualTo(new Decision.Keep());
    assertThat(trusts(data.bundle(), replica.served(), NOW)).isTrue();
    List<String> said = log.lines().stream().filter(line -> line.contains("has a new")).toList();
    assertThat(said).singleElement().asString().endsWith(", because " + why);
    assertThat(said.get(0).contains("has a new authority")).isEqualTo(made.contains("authority"));
    assertThat(said.get(0).contains("new certificate")).isEqualTo(made.contains("certificate"));
  }

  private static Map<String, String> garbage(String kind) {
    Map<String, String> data = new HashMap<>(TestCertificates.fresh(NOW).data());
    switch (kind) {
      case "empty" -> data.clear();
      case "other key" ->
          data.put(
              SecretData.SERVING_KEY,
              TestCertificates.fresh(NOW).data().get(SecretData.SERVING_KEY));
      case "other name" -> {
        Authority authority = CertificateIssuer.authority(NOW);
        data.putAll(
            new Certificates(
                    authority,
                    CertificateIssuer.serving(authority, "other.svc", NOW),
                    List.of(authority.certificate()))
                .data());
      }
      case "expired" -> data.putAll(TestCertificates.fresh(years(-2)).data());
      case "future" -> data.putAll(TestCertificates.fresh(years(2)).data());
      case "words" -> data.replaceAll((key, value) -> encoded("half of it"));
      default -> data.remove(kind.substring("no ".length()));
    }
    return data;
  }

  private static Instant years(int years) {
    return NOW.atOffset(ZoneOffset.UTC).plusYears(years).toInstant();
  }

  @Test
  void aConfigurationThatDoesNotExistIsSaidOnceAndTriedAgain() {
    for (int i = 0; i < 5; i++) {
      assertThat(replica.look()).isFalse();
    }
    assertThat(replica.keys.reasonsNotReady()).as("it serves nevertheless").isEmpty();
    assertThat(log.lines().stream().filter(line -> line.startsWith("WARN")))
        .containsExactly(
            "WARN MutatingWebhookConfiguration numaspark does not exist, so the API server sends no"
                + " pods here; install it, for example with the chart");
    cluster.configure();
    assertThat(replica.look()).isTrue();
    assertThat(cluster.caBundle()).isNotNull();
  }

  @Test
  void aCaBundleThatSomebodyElseChangesIsWrittenAgain() {
    cluster.configure();
    replica.look();
    cluster.configure();
    replica.look();
    assertThat(cluster.patches).hasSize(2);
  }

  /** Two clocks that are years apart would else write without end. */
  @Test
  void aSecretThatIsSpoiledAgainAndAgainIsWrittenOnceAMinute() {
    cluster.configure();
    replica.look();
    ServingKey served = replica.served();
    for (int second = 1; second < 60; second++) {
      clock.advance(Duration.ofSeconds(1));
      cluster.put(Map.of());
      assertThat(replica.look()).isFalse();
    }
    assertThat(cluster.writes).isEqualTo(1);
    assertThat(replica.served()).isEqualTo(served);
    assertThat(log.lines().stream().filter(line -> line.startsWith("WARN"))).hasSize(1);
    clock.advance(Duration.ofSeconds(1));
    assertThat(replica.look()).isTrue();
    assertThat(cluster.writes).isEqualTo(2);
  }

  @Test
  void theLastCertificateIsServedUntilItExpiresWhateverHappens() {
    cluster.configure();
    replica.look();
    clock.advance(Duration.ofDays(91));
    assertThat(replica.keys.reasonsNotReady())
        .containsExactly("the webhook's certificate has expired at 2027-02-24T12:00:00Z");
    replica.look();
    assertThat(replica.keys.reasonsNotReady()).isEmpty();
  }

  /** Of all that happens in a life. */
  @Test
  void noPrivateKeyIsLogged() {
    cluster.configure();
    List<String> secrets = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      replica.look();
      Map<String, String> data = new HashMap<>(cluster.read().orElseThrow().getData());
      for (String key : List.of(SecretData.SERVING_KEY, SecretData.AUTHORITY_KEY)) {
        secrets.add(data.get(key).substring(60, 90));
        String pem = new String(Base64.getDecoder().decode(data.get(key)), StandardCharsets.UTF_8);
        secrets.add(pem.lines().toList().get(1).substring(40, 60));
      }
      clock.advance(Duration.ofDays(50));
      if (i % 2 == 1) {
        data.put(SecretData.SERVING_KEY, data.get(SecretData.AUTHORITY_KEY));
        data.put(SecretData.AUTHORITY_KEY, data.get(SecretData.BUNDLE));
        cluster.put(data);
      }
    }
    assertThat(log.lines()).hasSizeGreaterThan(10);
    String all = String.join("\n", log.lines());
    assertThat(secrets).allSatisfy(secret -> assertThat(all).doesNotContain(secret));
    assertThat(all).doesNotContain("PRIVATE KEY");
  }
}

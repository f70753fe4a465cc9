package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NAME;
import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.Test;

class ServingKeysTest {
  private final Authority authority = CertificateIssuer.authority(NOW);
  private final ServingKeys keys = new ServingKeys(InstantSource.fixed(NOW));
  private final X509ExtendedKeyManager manager = keys.keyManager();

  private ServingKey made() {
    return CertificateIssuer.serving(authority, NAME, NOW);
  }

  @Test
  void withoutAKeyThereIsNothingToChoose() {
    assertThat(manager.chooseEngineServerAlias("EC", null, null)).isNull();
    assertThat(manager.getServerAliases("EC", null)).isEmpty();
    assertThat(manager.getPrivateKey("0")).isNull();
    assertThat(manager.getCertificateChain(null)).isNull();
    assertThat(keys.expirySeconds()).isNaN();
  }

  @Test
  void aKeyIsChosenForItsKindOnly() {
    keys.take(made());
    assertThat(manager.chooseEngineServerAlias("EC", null, null)).isNotNull();
    assertThat(manager.chooseServerAlias("EC", null, null)).isNotNull();
    assertThat(manager.chooseEngineServerAlias("RSA", null, null)).isNull();
    assertThat(manager.chooseClientAlias(new String[] {"EC"}, null, null)).isNull();
  }

  /** A handshake that chose before a renewal and reads after it. */
  @Test
  void aKeyAndItsCertificateBelongTogether() {
    ServingKey first = made();
    ServingKey second = made();
    keys.take(first);
    String alias = manager.chooseEngineServerAlias("EC", null, null);
    assertThat(keys.take(second)).isTrue();
    assertThat(manager.getPrivateKey(alias)).isEqualTo(first.key());
    assertThat(manager.getCertificateChain(alias)).containsExactly(first.certificate());
    String next = manager.chooseEngineServerAlias("EC", null, null);
    assertThat(manager.getPrivateKey(next)).isEqualTo(second.key());
    assertThat(manager.getCertificateChain(next)).containsExactly(second.certificate());
  }

  @Test
  void theSameKeyIsNoNews() {
    ServingKey key = made();
    assertThat(keys.take(key)).isTrue();
    assertThat(keys.take(key)).isFalse();
  }
}

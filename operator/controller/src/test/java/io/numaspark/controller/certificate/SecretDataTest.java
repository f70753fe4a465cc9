package io.numaspark.controller.certificate;

import static io.numaspark.controller.certificate.TestCertificates.NOW;
import static io.numaspark.controller.certificate.TestCertificates.encoded;
import static io.numaspark.controller.certificate.TestCertificates.secret;
import static org.assertj.core.api.Assertions.assertThat;

import io.numaspark.controller.certificate.Part.Unusable;
import io.numaspark.controller.certificate.Part.Usable;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A Secret that somebody has damaged, value by value. */
class SecretDataTest {
  private static final Certificates GOOD = TestCertificates.fresh(NOW);
  private static final Certificates OTHER = TestCertificates.fresh(NOW);

  @Test
  void aGoodSecretHasAllParts() {
    SecretData data = SecretData.of(secret(GOOD.data()));
    assertThat(data.authority()).isEqualTo(new Usable<>(GOOD.authority()));
    assertThat(data.serving()).isEqualTo(new Usable<>(GOOD.serving()));
    assertThat(data.bundle()).isEqualTo(GOOD.bundle());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          tls.crt | missing | the Secret has no tls.crt                                | -
          tls.crt | empty   | the Secret has no tls.crt                                | -
          tls.crt | raw     | tls.crt is not base64                                    | -
          tls.crt | text    | tls.crt has no certificate                               | -
          tls.crt | large   | tls.crt has more than 65536 bytes                        | -
          tls.crt | other   | tls.key does not fit the first certificate of tls.crt    | -
          tls.crt | key     | tls.crt has no certificate                               | -
          tls.key | missing | the Secret has no tls.key                                | -
          tls.key | text    | tls.key has no private key                               | -
          tls.key | large   | tls.key has more than 65536 bytes                        | -
          tls.key | other   | tls.key does not fit the first certificate of tls.crt    | -
          ca.crt  | missing | - | the Secret has no ca.crt
          ca.crt  | text    | - | ca.crt has no certificate
          ca.crt  | other   | - | ca.key does not fit the first certificate of ca.crt
          ca.crt  | leaf    | - | the first certificate of ca.crt is not an authority
          ca.key  | missing | - | the Secret has no ca.key
          ca.key  | raw     | - | ca.key is not base64
          ca.key  | other   | - | ca.key does not fit the first certificate of ca.crt
          """)
  void whatIsDamagedIsNamed(String key, String damage, String serving, String authority) {
    Map<String, String> data = new HashMap<>(GOOD.data());
    switch (damage) {
      case "missing" -> data.remove(key);
      case "empty" -> data.put(key, "");
      case "raw" -> data.put(key, "%%%");
      case "text" -> data.put(key, encoded("half of it"));
      case "large" -> data.put(key, encoded("a".repeat(Pem.MOST_BYTES + 1)));
      case "key" -> data.put(key, data.get(SecretData.SERVING_KEY));
      case "leaf" -> data.put(key, data.get(SecretData.SERVING_CERTIFICATE));
      default -> data.put(key, OTHER.data().get(key));
    }
    SecretData read = SecretData.of(secret(data));
    assertThat(read.serving())
        .isEqualTo(
            serving == null ? new Usable<>(GOOD.serving()) : new Unusable<ServingKey>(serving));
    assertThat(read.authority())
        .isEqualTo(
            authority == null
                ? new Usable<>(GOOD.authority())
                : new Unusable<Authority>(authority));
  }

  @Test
  void aSecretWithoutDataIsNoFailure() {
    assertThat(SecretData.of(secret(null)).bundle()).isEmpty();
    assertThat(SecretData.absent().serving())
        .isEqualTo(new Unusable<ServingKey>("the Secret does not exist"));
  }
}

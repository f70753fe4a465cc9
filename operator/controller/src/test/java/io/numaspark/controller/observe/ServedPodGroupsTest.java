package io.numaspark.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.numaspark.controller.fixture.FakeClock;
import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.render.scheduling.PodGroupApi;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ServedPodGroupsTest {
  private static final String SERVED =
      """
      {"kind": "APIResourceList", "apiVersion": "v1", "resources": [{"name": "podgroups", "kind": "PodGroup"}]}""";

  @RegisterExtension final OneAnswer apiServer = new OneAnswer();
  private final FakeClock clock = new FakeClock(Instant.EPOCH);
  private KubernetesClient client;
  private ServedPodGroups groups;

  @BeforeEach
  void connect() {
    client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder().withMasterUrl("http://127.0.0.1:" + apiServer.port()).build())
            .build();
    groups = new ServedPodGroups(new ServedKinds(client), clock);
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void applicationsThatWaitDoNotAskAgainAndAgain() {
    apiServer.is(404, "");
    for (int look = 0; look < 100; look++) {
      assertThat(groups.apiVersion(PodGroupApi.KUBERNETES)).isEmpty();
    }
    assertThat(apiServer.requests())
        .containsExactly(
            "/apis/scheduling.k8s.io/v1beta1",
            "/apis/scheduling.k8s.io/v1alpha3",
            "/apis/scheduling.k8s.io/v1alpha2");
  }

  @Test
  void whatIsInstalledLaterIsSeen() {
    apiServer.is(404, "");
    assertThat(groups.apiVersion(PodGroupApi.VOLCANO)).isEmpty();
    apiServer.is(200, SERVED);
    clock.advance(Duration.ofSeconds(10));
    assertThat(groups.apiVersion(PodGroupApi.VOLCANO)).contains("scheduling.volcano.sh/v1beta1");
  }
}

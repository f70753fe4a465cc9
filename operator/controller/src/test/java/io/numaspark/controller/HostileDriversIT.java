package io.numaspark.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodIP;
import io.numaspark.api.v1alpha1.SparkApplicationStatus.State;
import io.numaspark.controller.fixture.OneAnswer;
import io.numaspark.controller.fixture.RawServer;
import io.numaspark.controller.fixture.Samples;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More drivers answer without end than the operator has workers; other applications go on. */
class HostileDriversIT extends OperatorAgainstApiServer {
  private static final int DRIVERS = 20;

  @RegisterExtension final RawServer hostile = new RawServer();
  @RegisterExtension final OneAnswer honest = new OneAnswer();

  @Test
  void driversThatAnswerWithoutEndKeepNobodyWaiting() throws Exception {
    hostile.does(
        RawServer.endless("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n[", " ", 50));
    honest.is(
        200,
        "[{\"id\": \"1\", \"attributes\": {\"NUMASPARK_CPUS_ALLOWED\": \"1-2,9-10\","
            + " \"NUMASPARK_MEMS_ALLOWED\": \"0\"}}]");
    start();
    node("numa", "a");
    create(Samples.dualSocket("numa"));
    create(Samples.profile("dual", "a"));
    List<String> bad = IntStream.range(0, DRIVERS).mapToObj(i -> "bad-" + i).toList();
    bad.forEach(name -> run(name, hostile.port()));
    run("good", honest.port());
    eventually(
        () ->
            assertThat(status("good").executors())
                .extracting(executor -> executor.id() + " " + executor.pinned())
                .containsExactly("1 True"));
    for (String name : bad) {
      eventually(
          () -> {
            assertState(name, State.RUNNING, "Running");
            assertThat(status(name).executors())
                .extracting(executor -> executor.id() + " " + executor.reason())
                .containsExactly("1 DriverNotAnswering");
          });
    }
  }

  private void run(String name, int uiPort) {
    create(
        application(
            name, "nodeProfile: dual\nsparkConf: {spark.ui.port: \"%d\"}".formatted(uiPort)));
    eventually(() -> assertState(name, State.SUBMITTED, "DriverStarting"));
    executor(name, "1");
    patchDriver(
        name,
        pod -> {
          pod.getStatus().setPhase("Running");
          pod.getStatus().setPodIP("127.0.0.1");
          pod.getStatus().setPodIPs(List.of(new PodIP("127.0.0.1")));
        });
  }
}

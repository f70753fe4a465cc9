package io.numaspark.agent;

import io.numaspark.agent.kubelet.KubeletConfigz;
import io.numaspark.agent.kubelet.KubeletException;
import io.numaspark.api.v1alpha1.KubeletSpec;
import io.numaspark.render.kubelet.KubeletConfiguration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;

/**
 * The settings that the node's kubelet runs with, asked again when it has started again, which
 * makes its socket anew, and every half an hour.
 *
 * <p>A question that fails is asked again after ten seconds, then less and less often.
 */
final class KubeletSettingsSource {
  private static final Duration AGAIN = Duration.ofMinutes(30);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(10);

  private final KubeletConfigz configz;
  private final Path socket;
  private Answer answer =
      new Answer.Failed(AgentReason.NOT_ASKED, "the kubelet has not been asked yet");
  private String start = "";
  private Instant due = Instant.EPOCH;
  private Duration retry = FIRST_RETRY;

  /** What the kubelet said. */
  sealed interface Answer {
    /** Its settings. */
    record Settings(KubeletSpec spec) implements Answer {}

    /** Nothing that could be used. */
    record Failed(String reason, String message) implements Answer {
      Failed(AgentReason reason, String message) {
        this(reason.displayName(), message);
      }
    }
  }

  KubeletSettingsSource(KubeletConfigz configz, Path socket) {
    this.configz = configz;
    this.socket = socket;
  }

  Answer read(Instant now) {
    String startNow = start();
    if (!startNow.equals(start)) {
      start = startNow;
      due = Instant.EPOCH;
      retry = FIRST_RETRY;
    }
    if (!now.isBefore(due)) {
      Answer said = ask();
      if (said instanceof Answer.Failed) {
        due = now.plus(retry);
        retry = Signal.twice(retry, AGAIN);
      } else {
        due = now.plus(AGAIN);
        retry = FIRST_RETRY;
      }
      answer = said;
    }
    return answer;
  }

  private Answer ask() {
    try {
      return new Answer.Settings(KubeletConfiguration.spec(configz.read()));
    } catch (KubeletException e) {
      return new Answer.Failed("Kubelet" + e.reason(), e.getMessage());
    } catch (IllegalArgumentException e) {
      return new Answer.Failed(
          AgentReason.KUBELET_NOT_UNDERSTOOD, "the kubelet's /configz: " + e.getMessage());
    }
  }

  /** Another text after each start of the kubelet. */
  private String start() {
    try {
      BasicFileAttributes attributes = Files.readAttributes(socket, BasicFileAttributes.class);
      return attributes.fileKey() + " " + attributes.creationTime();
    } catch (IOException e) {
      return "";
    }
  }
}

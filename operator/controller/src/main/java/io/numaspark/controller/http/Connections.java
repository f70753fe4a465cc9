package io.numaspark.controller.http;

import io.numaspark.controller.http.HttpListener.Limits;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open connections of a listener, never more than its limit: for the next one, the oldest of
 * the client with the most is closed. So whoever holds all of them takes them from itself, and a
 * client that asks at once and seldom, as the kubelet does, is never in the way.
 */
final class Connections {
  private final Limits limits;
  private final Set<Connection> byAge = new LinkedHashSet<>();
  private final Map<InetAddress, Integer> byClient = new HashMap<>();
  private long answerBytes;

  Connections(Limits limits) {
    this.limits = limits;
  }

  boolean isEmpty() {
    return byAge.isEmpty();
  }

  void add(Connection connection) {
    if (byAge.size() >= limits.connections()) {
      closeOne();
    }
    byAge.add(connection);
    byClient.merge(connection.client(), 1, Integer::sum);
  }

  /** Closes the oldest of the client with the most, if there is any. */
  void closeOne() {
    Optional<InetAddress> greediest =
        byClient.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    greediest
        .flatMap(
            client ->
                byAge.stream().filter(connection -> connection.client().equals(client)).findFirst())
        .ifPresent(this::close);
  }

  /** Counts an answer; if answers that nobody reads take too much, the longest unread ones go. */
  void makeRoomForAnswer(Connection answering) {
    answerBytes += answering.answerBytes();
    while (answerBytes > limits.answerBytes()) {
      Optional<Connection> longest =
          byAge.stream()
              .filter(connection -> connection != answering && connection.isAnswering())
              .min((one, other) -> Long.signum(one.deadline() - other.deadline()));
      if (longest.isEmpty()) {
        return;
      }
      close(longest.get());
    }
  }

  void closeLate(long now) {
    byAge.stream().filter(connection -> connection.isLate(now)).toList().forEach(this::close);
  }

  void closeAll() {
    List.copyOf(byAge).forEach(this::close);
  }

  void close(Connection connection) {
    connection.close();
    if (byAge.remove(connection)) {
      answerBytes -= connection.answerBytes();
      byClient.computeIfPresent(
          connection.client(), (client, count) -> count == 1 ? null : count - 1);
    }
  }
}

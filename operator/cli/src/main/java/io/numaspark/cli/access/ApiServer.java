package io.numaspark.cli.access;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.numaspark.cli.text.InputException;
import java.net.HttpURLConnection;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * An API server, which may refuse or not answer.
 *
 * @param url its address, for messages
 */
public record ApiServer(String url) {

  /**
   * The answer to a question.
   *
   * @param what the request in words, for example "list nodes"
   * @throws InputException with a remedy if there is none
   */
  public <T> T ask(String what, Supplier<T> question) {
    try {
      return question.get();
    } catch (KubernetesClientException e) {
      throw new InputException(explain(what, e), e);
    }
  }

  private String explain(String what, KubernetesClientException e) {
    return switch (e.getCode()) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          "%s does not accept your credentials; renew them, or choose another --context"
              .formatted(url);
      case HttpURLConnection.HTTP_FORBIDDEN ->
          "you may not %s; ask an administrator for that right".formatted(what);
      case HttpURLConnection.HTTP_NOT_FOUND ->
          "%s does not know what is requested (%s); install numaspark there: helm install numaspark charts/numaspark"
              .formatted(url, what);
      default ->
          "cannot %s at %s: %s; check --kubeconfig and --context".formatted(what, url, cause(e));
    };
  }

  private static String cause(Throwable e) {
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return Objects.requireNonNullElse(deepest.getMessage(), deepest.getClass().getSimpleName());
  }
}

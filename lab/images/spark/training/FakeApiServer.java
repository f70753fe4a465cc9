import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Answers a Spark driver as an API server without any objects would: lists are empty, watches stay silent, and what is
 * written is echoed. Enough for the driver to load the classes of its Kubernetes client; arguments: port, key store, password.
 */
public final class FakeApiServer {
  private FakeApiServer() {}

  public static void main(String[] args) throws Exception {
    char[] password = args[2].toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = new FileInputStream(args[1])) {
      keys.load(file, password);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);

    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    HttpsServer server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", FakeApiServer::answer);
    server.start();
  }

  private static void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    String path = exchange.getRequestURI().getPath();
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    switch (exchange.getRequestMethod()) {
      case "POST", "PUT", "PATCH" -> send(exchange, 201, new String(body, StandardCharsets.UTF_8));
      case "DELETE" -> send(exchange, 200, status("Success", 200));
      default -> {
        if (exchange.getRequestHeaders().containsKey("Upgrade")) {
          // No web sockets here: this answer makes the client watch with a plain request.
          send(exchange, 200, "");
        } else if (query.contains("watch=true")) {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().flush();
        } else if (path.endsWith("/pods")) {
          send(exchange, 200, "{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}");
        } else {
          send(exchange, 404, status("Failure", 404));
        }
      }
    }
  }

  private static String status(String result, int code) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Status\",\"metadata\":{},\"status\":\"" + result + "\",\"code\":" + code + "}";
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}

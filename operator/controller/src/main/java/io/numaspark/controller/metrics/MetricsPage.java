package io.numaspark.controller.metrics;

import io.numaspark.controller.http.HttpAnswer;
import io.numaspark.controller.http.HttpRequest;
import io.prometheus.metrics.exporter.common.PrometheusHttpExchange;
import io.prometheus.metrics.exporter.common.PrometheusHttpRequest;
import io.prometheus.metrics.exporter.common.PrometheusHttpResponse;
import io.prometheus.metrics.exporter.common.PrometheusScrapeHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.TreeMap;

/** Serves /metrics in the format that the asker names. */
final class MetricsPage {
  static final String PATH = "/metrics";

  private final PrometheusScrapeHandler scrape;

  MetricsPage(PrometheusRegistry registry) {
    scrape = new PrometheusScrapeHandler(registry);
  }

  HttpAnswer answer(HttpRequest request) {
    Exchange exchange = new Exchange(request);
    try {
      scrape.handleRequest(exchange);
    } catch (IllegalArgumentException e) {
      return HttpAnswer.text(400, "the query cannot be read: write name[]=METRIC, URL-encoded");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return exchange.answer();
  }

  /** Prometheus' view of a request, and what is written into it. */
  private static final class Exchange
      implements PrometheusHttpExchange, PrometheusHttpRequest, PrometheusHttpResponse {
    private final HttpRequest request;
    private final Map<String, String> headers = new TreeMap<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status = 200;

    Exchange(HttpRequest request) {
      this.request = request;
    }

    HttpAnswer answer() {
      return new HttpAnswer(status, headers, body.toByteArray());
    }

    @Override
    public PrometheusHttpRequest getRequest() {
      return this;
    }

    @Override
    public PrometheusHttpResponse getResponse() {
      return this;
    }

    @Override
    public void handleException(IOException e) throws IOException {
      throw e;
    }

    @Override
    public void handleException(RuntimeException e) {
      throw e;
    }

    @Override
    public void close() {
      // The answer is complete when the handler returns.
    }

    @Override
    public String getQueryString() {
      return request.query();
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return Collections.enumeration(request.header(name));
    }

    @Override
    public String getMethod() {
      return request.method();
    }

    @Override
    public String getRequestPath() {
      return request.path();
    }

    /** Its length is known when it is whole. */
    @Override
    public void setHeader(String name, String value) {
      if (!name.equalsIgnoreCase("Content-Length")) {
        headers.put(name, value);
      }
    }

    @Override
    public OutputStream sendHeadersAndGetBody(int newStatus, int length) {
      status = newStatus;
      return body;
    }
  }
}

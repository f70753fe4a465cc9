/** What Prometheus and the kubelet ask of the operator. */
package io.numaspark.controller.metrics;

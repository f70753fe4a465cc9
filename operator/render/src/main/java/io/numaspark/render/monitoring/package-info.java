/** Metrics of driver and executors through the JMX exporter. */
package io.numaspark.render.monitoring;

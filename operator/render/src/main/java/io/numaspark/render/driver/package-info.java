/**
 * The driver: its pod, Services and Ingresses, and the properties that Spark's submission writes.
 */
package io.numaspark.render.driver;

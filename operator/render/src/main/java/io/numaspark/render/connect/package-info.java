/**
 * What a SparkConnect becomes: a SparkApplication that runs the server, and a Service in front of
 * it.
 *
 * <p>Pure: the same SparkConnect gives the same objects.
 */
package io.numaspark.render.connect;

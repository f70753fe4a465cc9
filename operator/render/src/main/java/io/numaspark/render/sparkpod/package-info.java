/**
 * From the pod-shaped fields of an application, and the Spark properties that stand for them, to
 * the pods of driver and executors. Pure.
 */
package io.numaspark.render.sparkpod;

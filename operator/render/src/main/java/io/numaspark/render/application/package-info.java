/**
 * From an application and its profile's plan to Spark properties and the driver's manifests. Pure.
 */
package io.numaspark.render.application;

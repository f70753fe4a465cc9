/** How names, sizes and options are written, by Kubernetes, Spark and ourselves. Pure. */
package io.numaspark.render.text;

/** Kubernetes pods as the planner's admission model takes them. */
package io.numaspark.render.pod;

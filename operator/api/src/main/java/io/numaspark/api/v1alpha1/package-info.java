/**
 * The custom resources of group {@code numaspark.io}, version {@code v1alpha1}: records without
 * behaviour.
 *
 * <p>What an object can say about itself is checked by its schema (bounds, patterns, CEL rules);
 * what needs a node is checked by the planner and reported in a condition.
 */
package io.numaspark.api.v1alpha1;

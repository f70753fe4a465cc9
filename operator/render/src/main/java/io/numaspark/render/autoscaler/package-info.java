/**
 * What autoscalers have to know of nodes that do not exist yet, in the ways in which they take it.
 * Pure functions.
 */
package io.numaspark.render.autoscaler;

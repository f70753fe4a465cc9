/**
 * Kubelet settings that pin executors, for the ways in which platforms take them. Pure functions.
 */
package io.numaspark.render.kubelet;

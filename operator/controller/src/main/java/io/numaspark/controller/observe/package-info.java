/** Reads: nodes, pods, and what drivers say of their executors. Never writes. */
package io.numaspark.controller.observe;

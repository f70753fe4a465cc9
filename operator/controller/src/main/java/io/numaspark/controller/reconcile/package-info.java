/**
 * The reconcilers: each reads, decides, applies and says when it is next to be called. They hold no
 * state, know nobody else of their kind, and decide nothing that a pure function could decide.
 */
package io.numaspark.controller.reconcile;

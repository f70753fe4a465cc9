/**
 * Pipes: observe, plan or render, apply, status. No decision is made here that a pure function
 * could make.
 */
package io.numaspark.controller.reconcile;

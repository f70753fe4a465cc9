/** End-to-end tests: a real control plane, real kubelets, a real NUMA node, real Spark. */
package io.numaspark.e2e;

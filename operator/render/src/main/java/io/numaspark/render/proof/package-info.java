/** Whether pods have CPUs of their own, from what kernel, kubelet, pinner and pods say. */
package io.numaspark.render.proof;

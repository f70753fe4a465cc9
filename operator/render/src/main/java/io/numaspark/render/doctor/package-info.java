/** Whether a kubelet would pin a pod, from the pod's spec and the machine alone. Pure functions. */
package io.numaspark.render.doctor;

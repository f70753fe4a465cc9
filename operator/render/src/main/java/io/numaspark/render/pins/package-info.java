/** How the container runtime shall divide the CPUs of nodes, and what their pinners say of it. */
package io.numaspark.render.pins;

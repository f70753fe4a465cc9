/** What a node is: CPU sets, cores, NUMA nodes and the kubelet's resource managers. */
package io.numaspark.planner.topology;

package main

// tableCases are the situations that decided how executors are shaped and nodes are set up.
func tableCases() []Case {
	full := options(fullPCPUs)
	oneOffline := numaNodes(1, 1, 8, 2, 64*gibibyte)
	oneOffline[0].Cores[7] = "7"
	h := named("H-offline-sibling", oneOffline, singleNUMA(full, reserveCount(2)), pods(3, "3", "1Gi")...)
	h.Class = "offline-sibling"
	initApp := func(name, init string) podOf { return pod(name, limits("26", "1Gi")).init("init", limits(init, "1Gi")) }
	sidecarApp := func(name string) podOf { return pod(name, limits("24", "1Gi")).sidecar("side", limits("2", "1Gi")) }
	big := numaNodes(2, 1, 16, 2, 128*gibibyte)
	return []Case{
		named("A-stranded-over-numa-nodes", twoSockets(), singleNUMA(full, reserveCount(2)), pods(5, "6", "1Gi")...),
		named("B-core-reserved-per-numa-node", twoSockets(), singleNUMA(full, reserved("0,8,16,24")), pods(5, "6", "1Gi")...),
		named("C-pod-of-a-numa-node", twoSockets(), singleNUMA(full, reserveCount(2)), pods(2, "16", "1Gi")...),
		named("D-odd-number-of-threads", twoSockets(), singleNUMA(full, reserveCount(2)), pods(1, "7", "1Gi")...),
		named("E-lone-threads-reserved", twoSockets(), singleNUMA(full, reserved("0-1")), pods(1, "14", "1Gi")...),
		named("F-memory-full", twoSockets(), singleNUMA(full, reserveCount(2), memoryStatic(4*gibibyte, 4*gibibyte)),
			pods(13, "2", "20Gi")...),
		named("G-order-8-14-8", twoSockets(), singleNUMA(full, reserveCount(2)),
			pod("a", limits("8", "1Gi")), pod("b", limits("14", "1Gi")), pod("c", limits("8", "1Gi"))),
		named("G-order-14-8-8", twoSockets(), singleNUMA(full, reserveCount(2)),
			pod("a", limits("14", "1Gi")), pod("b", limits("8", "1Gi")), pod("c", limits("8", "1Gi"))),
		h,
		named("I-topology-manager-none", twoSockets(), singleNUMA(full, policy("none"), reserveCount(2)), pods(3, "10", "1Gi")...),
		named("J-init-container-scope-container", big, singleNUMA(reserveCount(2)), initApp("a", "1"), initApp("b", "1")),
		named("J-init-container-scope-pod", big, singleNUMA(podScope, reserveCount(2)), initApp("a", "1"), initApp("b", "1")),
		named("J-fractional-init-container", big, singleNUMA(reserveCount(2)), initApp("a", "500m"), initApp("b", "500m")),
		named("K-sidecar-scope-container", big, singleNUMA(full, reserveCount(2)), sidecarApp("a"), sidecarApp("b")),
		named("K-sidecar-scope-pod", big, singleNUMA(full, podScope, reserveCount(2)), sidecarApp("a"), sidecarApp("b")),
		named("L-fractional-sidecar", twoSockets(), singleNUMA(full, reserveCount(2), memoryStatic(gibibyte, gibibyte)),
			pod("a", limits("6", "8Gi")).sidecar("side", limits("100m", "64Mi"))),
		named("M-burstable", twoSockets(), singleNUMA(full, reserveCount(2), memoryStatic(gibibyte, gibibyte)),
			pod("a", &podResources{Requests: map[string]string{"cpu": "6", "memory": "8Gi"}})),
		named("N-four-caches-of-eight-cores", withCaches(numaNodes(1, 1, 32, 1, 128*gibibyte), 8),
			singleNUMA(options(alignUncore), reserveCount(1)), pods(6, "6", "1Gi")...),
		named("O-six-core-executors-on-eight-core-caches", withCaches(numaNodes(2, 4, 24, 2, 96*gibibyte), 8),
			singleNUMA(options(fullPCPUs, alignUncore), reserved("0,192")), pods(9, "12", "1Gi")...),
		named("P-smt8-whole-core-reserved", numaNodes(2, 1, 12, 8, 256*gibibyte), singleNUMA(full, reserveCount(8)),
			pods(8, "24", "1Gi")...),
		named("P-smt8-two-threads-reserved", numaNodes(2, 1, 12, 8, 256*gibibyte), singleNUMA(full, reserved("0,24")),
			pods(8, "24", "1Gi")...),
		named("Q-two-sockets-of-56-cores", numaNodes(2, 1, 56, 2, 256*gibibyte), singleNUMA(full, reserveCount(4)),
			pods(19, "12", "1Gi")...),
		named("R-larger-than-any-numa-node-with-cores", withMemoryNode(twoSockets(), 2, 512*gibibyte),
			singleNUMA(full, reserveCount(2), memoryStatic(gibibyte, gibibyte)), pod("a", limits("4", "200Gi")),
			pod("b", limits("4", "100Gi"))),
		named("S-strict-reservation-nothing-left", twoSockets(), singleNUMA(options(fullPCPUs, strictReserved), reserveCount(2)),
			pod("a", limits("14", "1Gi")), pod("b", limits("16", "1Gi"))),
	}
}

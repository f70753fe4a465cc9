package main

// featureCases show every setting and every kind of pod at least once.
func featureCases() []Case {
	snc := func() []NUMANode { return numaNodes(2, 2, 4, 2, 32*gibibyte) }
	far := func(nodes []NUMANode) []NUMANode {
		return withDistances(nodes, []uint64{10, 20, 12, 30}, []uint64{20, 10, 30, 12}, []uint64{12, 30, 10, 20},
			[]uint64{30, 12, 20, 10})
	}
	twoCaches := func() []NUMANode { return withCaches(numaNodes(1, 1, 8, 2, 32*gibibyte), 4) }
	mem := memoryStatic(gibibyte, gibibyte)
	hugepages := func() []NUMANode { return withHugepages(numaNodes(2, 1, 4, 2, 16*gibibyte), "2Mi", 1024, 512) }
	return []Case{
		named("restricted-over-two-numa-nodes", twoSockets(), singleNUMA(policy("restricted"), reserveCount(2)),
			pod("a", limits("17", "1Gi")), pod("b", limits("14", "1Gi"))),
		named("best-effort-split", twoSockets(), singleNUMA(policy("best-effort"), reserveCount(2)), pods(4, "10", "1Gi")...),
		named("restricted-rejects-split", twoSockets(), singleNUMA(policy("restricted"), reserveCount(2)), pods(4, "10", "1Gi")...),
		named("distribute-over-numa-nodes", twoSockets(),
			singleNUMA(policy("restricted"), options(distributeNUMA), reserveCount(2)), pods(2, "18", "1Gi")...),
		named("distribute-whole-cores-over-numa-nodes", snc(),
			singleNUMA(policy("best-effort"), options(distributeNUMA, fullPCPUs), reserveCount(2)), pods(3, "10", "1Gi")...),
		// After four CPUs from each NUMA node two have 6 more, but only 4 of them in whole cores: the kubelet tries for ever.
		named("distribute-whole-cores-without-end", numaNodes(2, 2, 4, 2, 64*gibibyte), singleNUMA(policy("best-effort"),
			options(distributeNUMA, fullPCPUs), gate(alphaGate), reserved("0,4,8,12")), pods(1, "22", "1Gi")...),
		named("distribute-reservation", snc(), singleNUMA(options(distributeNUMA), reserveCount(10)), pods(2, "4", "1Gi")...),
		named("distribute-over-cores", twoSockets(),
			singleNUMA(options(distributeCores), gate(alphaGate), reserveCount(2)), pods(3, "6", "1Gi")...),
		named("align-by-socket", snc(), singleNUMA(policy("restricted"), options(alignBySocket), gate(alphaGate), reserveCount(2)),
			pods(4, "10", "1Gi")...),
		named("uncore-cache", twoCaches(), singleNUMA(options(alignUncore), reserveCount(2)), pods(4, "4", "1Gi")...),
		named("uncore-cache-odd-request", twoCaches(), singleNUMA(options(alignUncore), reserveCount(2)), pods(4, "3", "1Gi")...),
		named("uncore-cache-with-the-alpha-gate", twoCaches(), singleNUMA(options(alignUncore), gate(alphaGate), reserveCount(2)),
			pods(4, "4", "1Gi")...),
		named("uncore-cache-with-the-alpha-gate-odd-request", twoCaches(),
			singleNUMA(options(alignUncore), gate(alphaGate), reserveCount(2)), pods(4, "3", "1Gi")...),
		named("distribute-and-align-by-socket", numaNodes(2, 2, 4, 2, 32*gibibyte), singleNUMA(policy("best-effort"),
			options(distributeNUMA, alignBySocket), gate(alphaGate), reserved("0,4,16,20")), pods(3, "11", "1Gi")...),
		named("uncore-cache-is-the-numa-node", withCaches(snc(), 4), singleNUMA(options(alignUncore), reserveCount(2)),
			pods(4, "6", "1Gi")...),
		named("strict-reservation", twoSockets(), singleNUMA(options(strictReserved), reserved("0,8,16,24")), pods(3, "8", "1Gi")...),
		named("reservation-of-a-core-and-a-thread", twoSockets(), singleNUMA(reserveCount(3)), pods(3, "7", "1Gi")...),
		named("reservation-of-a-numa-node", twoSockets(), singleNUMA(reserved("0-7,16-23")), pods(3, "8", "1Gi")...),
		named("reservation-list-empties-a-core", twoSockets(), singleNUMA(reserved("3,19")), pods(2, "6", "1Gi")...),
		named("closest-numa-nodes", far(snc()), singleNUMA(policy("best-effort"), topologyOption(preferClosest, "true"),
			reserveCount(2)), pods(3, "10", "1Gi")...),
		named("narrowest-numa-nodes", far(snc()), singleNUMA(policy("best-effort"), reserveCount(2)), pods(3, "10", "1Gi")...),
		named("closest-of-sparse-numa-nodes-panics", withIDs(withDistances(twoSockets(), []uint64{10, 20}, []uint64{20, 10}), 0, 8),
			singleNUMA(policy("best-effort"), topologyOption(preferClosest, "true"), reserveCount(2)), pods(1, "10", "1Gi")...),
		named("sparse-numa-nodes", withIDs(twoSockets(), 0, 8), singleNUMA(reserveCount(2)), pods(3, "14", "1Gi")...),
		named("numa-node-64-panics", withIDs(twoSockets(), 0, 64), singleNUMA(reserveCount(2)), pods(1, "4", "1Gi")...),
		named("sixteen-numa-nodes", numaNodes(4, 4, 1, 2, gibibyte), singleNUMA(topologyOption(maxNUMANodes, "16"), reserveCount(2)),
			pods(2, "2", "64Mi")...),
		named("memory-group-of-two-numa-nodes", twoSockets(), singleNUMA(policy("restricted"), mem, reserveCount(2)),
			pod("a", limits("17", "200Gi")), pod("b", limits("4", "20Gi")), pod("c", limits("1500m", "150Gi")),
			pod("d", limits("1500m", "20Gi")), left("a"), pod("e", limits("4", "20Gi"))),
		named("memory-reserved-on-one-numa-node", twoSockets(), singleNUMA(memoryStatic(8*gibibyte), reserveCount(2)),
			pods(3, "4", "124Gi")...),
		named("memory-without-cpu-manager", twoSockets(), singleNUMA(cpuPolicyNone, mem), pods(5, "6", "60Gi")...),
		named("memory-on-a-numa-node-without-cores", withMemoryNode(twoSockets(), 2, 256*gibibyte),
			singleNUMA(policy("best-effort"), mem, reserveCount(2)), pods(2, "500m", "200Gi")...),
		named("hugepages", hugepages(), singleNUMA(mem, reserveCount(2)), pod("a", limits("2", "1Gi", "hugepages-2Mi", "1Gi")),
			pod("b", limits("2", "1Gi", "hugepages-2Mi", "1Gi")), pod("c", limits("2", "1Gi", "hugepages-2Mi", "1Gi")),
			pod("d", limits("2", "1Gi", "hugepages-2Mi", "1Gi"))),
		named("hugepages-reserved", hugepages(), singleNUMA(mem, reserveCount(2), func(k *Kubelet) {
			k.ReservedHugepages = map[string]map[string]int64{"0": {"2Mi": 512 * mebibyte}}
		}), pod("a", limits("2", "1Gi", "hugepages-2Mi", "1Gi")), pod("b", limits("2", "1Gi", "hugepages-2Mi", "1Gi"))),
		named("hugepages-of-a-size-that-the-machine-lacks-panic", twoSockets(), singleNUMA(mem, reserveCount(2)),
			pod("a", limits("2", "1Gi", "hugepages-2Mi", "2Mi"))),
		named("several-containers", twoSockets(), singleNUMA(reserveCount(2), mem),
			pod("a", limits("6", "4Gi"), limits("4", "2Gi"), limits("500m", "1Gi")),
			pod("b", limits("6", "4Gi"), limits("4", "2Gi"), limits("500m", "1Gi"))),
		named("several-containers-scope-pod", twoSockets(), singleNUMA(podScope, reserveCount(2), mem),
			pod("a", limits("6", "4Gi"), limits("4", "2Gi")), pod("b", limits("6", "4Gi"), limits("4", "2Gi")),
			pod("c", limits("6", "4Gi"), limits("4", "2Gi"))),
		named("init-container-larger-than-the-app", twoSockets(), singleNUMA(reserveCount(2), mem),
			pod("a", limits("4", "4Gi")).init("init", limits("8", "8Gi")), pod("b", limits("6", "4Gi"))),
		named("init-container-smaller-than-the-app", twoSockets(), singleNUMA(reserveCount(2), mem),
			pod("a", limits("8", "8Gi")).init("init", limits("4", "4Gi")), pod("b", limits("6", "4Gi"))),
		named("sidecar-before-and-after-an-init-container", twoSockets(), singleNUMA(reserveCount(2), mem),
			pod("a", limits("4", "4Gi")).sidecar("before", limits("2", "1Gi")).init("init", limits("4", "2Gi")).
				sidecar("after", limits("2", "1Gi"))),
		named("sidecar-before-and-after-an-init-container-scope-pod", twoSockets(), singleNUMA(podScope, reserveCount(2), mem),
			pod("a", limits("4", "4Gi")).sidecar("before", limits("2", "1Gi")).init("init", limits("4", "2Gi")).
				sidecar("after", limits("2", "1Gi"))),
		named("init-container-without-limits-makes-burstable", twoSockets(), singleNUMA(reserveCount(2), mem),
			pod("a", limits("4", "4Gi")).init("init", nil)),
		named("fractional-best-effort-and-guaranteed", twoSockets(), singleNUMA(reserveCount(2)),
			pod("fractional", limits("1500m", "1Gi")), pod("besteffort", nil), pod("guaranteed", limits("2", "1Gi"))),
		named("pod-level-resources-are-not-pinned", twoSockets(), singleNUMA(reserveCount(2), mem),
			pod("a", limits("4", "1Gi")).podResources(limits("6", "2Gi")), pod("b", nil).podResources(limits("6", "2Gi"))),
		named("start-or-not-with-pod-level-resources-off", twoSockets(), singleNUMA(gateOff("PodLevelResources"), reserveCount(2), mem),
			pod("a", limits("4", "1Gi")).podResources(limits("6", "2Gi")), pod("b", limits("4", "1Gi"))),
		named("removed-and-back", twoSockets(), singleNUMA(reserveCount(2), mem), pod("a", limits("14", "100Gi")),
			pod("b", limits("16", "100Gi")), pod("c", limits("2", "1Gi")), left("a"), pod("d", limits("2", "1Gi")), left("c"),
			pod("a", limits("14", "100Gi")), pod("c", limits("12", "100Gi"))),
		named("rejected-in-the-second-container", twoSockets(), singleNUMA(reserveCount(2)),
			pod("a", limits("14", "1Gi"), limits("17", "1Gi")), pod("b", limits("14", "1Gi"))),
		named("nothing-is-managed", twoSockets(), Kubelet{}, pods(1, "6", "1Gi")...),
	}
}

// startCases are kubelets that do not start, and some that do although one may doubt it.
func startCases() []Case {
	start := func(id string, settings ...setting) Case {
		return named("start-"+id, numaNodes(2, 1, 4, 2, 16*gibibyte), singleNUMA(settings...), pods(1, "2", "1Gi")...)
	}
	memory := func(node string, bytes int64) setting {
		return func(k *Kubelet) {
			k.MemoryManagerPolicy = "Static"
			k.ReservedMemory = map[string]int64{node: bytes}
		}
	}
	option := func(name, value string) setting {
		return func(k *Kubelet) { k.CPUManagerPolicyOptions = map[string]string{name: value} }
	}
	two := reserveCount(2)
	return []Case{
		start("without-reservation"),
		start("with-reservation-zero", reserveCount(0)),
		start("with-all-cpus-reserved", reserveCount(16)),
		start("with-more-cpus-reserved-than-there-are", reserveCount(17)),
		start("with-more-cpus-reserved-and-policy-none", cpuPolicyNone, reserveCount(17)),
		start("with-reserved-cpu-offline", reserved("0,16")),
		start("full-cores-and-distribute-over-cores", two, options(fullPCPUs, distributeCores), gate(alphaGate)),
		start("distribute-over-numa-nodes-and-cores", two, options(distributeNUMA, distributeCores), gate(alphaGate)),
		start("uncore-and-distribute-over-cores", two, options(alignUncore, distributeCores), gate(alphaGate)),
		start("uncore-and-distribute-over-numa-nodes", two, options(alignUncore, distributeNUMA)),
		start("unknown-option", two, options("full-pcpus")),
		start("option-that-is-no-boolean", two, option(fullPCPUs, "yes")),
		start("option-that-is-off", two, option(fullPCPUs, "false")),
		start("alpha-option-without-gate", two, options(alignBySocket)),
		start("beta-option-without-gate", two, options(distributeNUMA), gateOff("CPUManagerPolicyBetaOptions")),
		start("uncore-without-beta-gate", two, options(alignUncore), gateOff("CPUManagerPolicyBetaOptions")),
		start("strict-reservation-without-beta-gate", two, options(strictReserved), gateOff("CPUManagerPolicyBetaOptions")),
		start("max-allowable-without-beta-gate", two, topologyOption(maxNUMANodes, "9"), gateOff("TopologyManagerPolicyBetaOptions")),
		start("gate-that-is-locked", two, gateOff("CPUManagerPolicyOptions")),
		start("topology-gate-that-is-locked", two, gateOff("TopologyManagerPolicyOptions")),
		start("gate-that-was-removed", two, gate("CPUManager")),
		start("memory-gate-that-was-removed", two, gate("MemoryManager")),
		start("gate-that-came", two, gateOff("PodLevelResourceManagers")),
		start("defaulting-gate-that-came", two, gate("PodLevelResourcesFixDefaulting")),
		start("align-by-socket-and-single-numa-node", two, options(alignBySocket), gate(alphaGate)),
		start("options-with-cpu-policy-none", cpuPolicyNone, options(fullPCPUs)),
		start("unknown-feature-gate", two, gate("CPUManagerPolicyGammaOptions")),
		start("unknown-topology-option", two, topologyOption("prefer-nearest", "true")),
		start("topology-option-with-policy-none", two, policy("none"), topologyOption("prefer-nearest", "true")),
		start("closest-without-distances", two, topologyOption(preferClosest, "true")),
		start("max-allowable-too-small", two, topologyOption(maxNUMANodes, "4")),
		named("start-with-nine-numa-nodes", numaNodes(3, 3, 1, 2, gibibyte), singleNUMA(two)),
		named("start-without-cores", withMemoryNode(nil, 0, gibibyte), singleNUMA(two)),
		start("memory-static-without-reservation", two, func(k *Kubelet) { k.MemoryManagerPolicy = "Static" }),
		start("memory-reserved-on-unknown-numa-node", two, memory("2", gibibyte)),
		start("memory-reserved-zero", two, memory("0", 0)),
		start("memory-reserved-more-than-the-machine-has", two, memory("0", 33*gibibyte)),
		start("unknown-memory-policy", two, func(k *Kubelet) { k.MemoryManagerPolicy = "BestEffort" }),
	}
}

package perf

import (
	"slices"

	"numaspark.io/agent/internal/knob"
)

// reads are lines of memory that a core, or its prefetchers, read from DRAM of its own socket or NUMA node, and from that of another.
type reads struct {
	isOf          func(knob.Processor) bool
	local, remote [2]uint64 // config and config1
	// localIsAll: the first event counts remote ones too.
	localIsAll bool
}

// The Linux names of the events are those of tools/perf/pmu-events; Intel's codes are those of github.com/intel/perfmon. A processor that
// is not here is not counted: a code may mean something else there.
var readsOf = []reads{
	// MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM, .REMOTE_DRAM: loads that have retired, without prefetches. Ivy Bridge-EP.
	{isOf: intel(0x3E), local: [2]uint64{0x03D3}, remote: [2]uint64{0x0CD3}},
	// MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM, .REMOTE_DRAM. Haswell-EP and Broadwell-EP.
	{isOf: intel(0x3F, 0x4F), local: [2]uint64{0x01D3}, remote: [2]uint64{0x04D3}},
	// MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM, .REMOTE_DRAM. Skylake-SP, Cascade Lake, Cooper Lake.
	{isOf: intel(0x55), local: [2]uint64{0x01D3}, remote: [2]uint64{0x02D3}},
	// MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM, .REMOTE_DRAM_OR_NOFWD. Sierra Forest, Clearwater Forest.
	{isOf: intel(0xAF, 0xDD), local: [2]uint64{0x01D3}, remote: [2]uint64{0x02D3}},
	// OCR.READS_TO_CORE.LOCAL_DRAM, and .REMOTE_DRAM with .SNC_DRAM: with prefetches, also if a socket has several NUMA nodes. Ice Lake-SP.
	{isOf: intel(0x6A, 0x6C), local: [2]uint64{0x01B7, 0x104000477}, remote: [2]uint64{0x01B7, 0x738000477}},
	// The same of Sapphire and Emerald Rapids.
	{isOf: intel(0x8F, 0xCF), local: [2]uint64{0x012A, 0x104004477}, remote: [2]uint64{0x012A, 0x738004477}},
	// Granite Rapids has no .SNC_DRAM: remote is the other socket.
	{isOf: intel(0xAD, 0xAE), local: [2]uint64{0x012A, 0x104004477}, remote: [2]uint64{0x012A, 0x730004477}},
	// ls_refills_from_sys.ls_mabresp_lcl_dram, _rmt_dram: without hardware prefetches. Zen 2 of servers.
	{isOf: func(p knob.Processor) bool { return isAMD(p, 0x17) && p.Model == 0x31 }, local: [2]uint64{0x0843}, remote: [2]uint64{0x4043}},
	// ls_any_fills_from_sys, of near and far DRAM: far is another NUMA node, of the same socket or another. What a prefetcher has brought
	// to the L2 cache before is not counted. Zen 3 and 4.
	{isOf: func(p knob.Processor) bool { return isAMD(p, 0x19) }, local: [2]uint64{0x0844}, remote: [2]uint64{0x4044}},
	// l2_fill_rsp_src.dram_io_near, .dram_io_far: with prefetches. Zen 5.
	{isOf: isZen5, local: [2]uint64{0x1_0000_0865}, remote: [2]uint64{0x1_0000_4065}},
	// LL_CACHE_MISS_RD, and REMOTE_ACCESS, which is another socket. Neoverse N1, V1, N2, V2.
	{isOf: func(p knob.Processor) bool {
		return p.Vendor == "0x41" && slices.Contains([]int{0xD0C, 0xD40, 0xD49, 0xD4F}, p.Part)
	},
		local: [2]uint64{0x37}, remote: [2]uint64{0x31}, localIsAll: true},
}

func intel(models ...int) func(knob.Processor) bool {
	return func(p knob.Processor) bool { return isIntel(p) && p.Family == 6 && slices.Contains(models, p.Model) }
}

func isIntel(p knob.Processor) bool { return p.Vendor == "GenuineIntel" }

func isAMD(p knob.Processor, family int) bool {
	return p.Vendor == "AuthenticAMD" && p.Family == family
}

// isZen4 and isZen5 go by the ranges of models of the kernel (arch/x86/kernel/cpu/amd.c).
func isZen4(p knob.Processor) bool {
	return isAMD(p, 0x19) && (p.Model >= 0x10 && p.Model <= 0x1F || p.Model >= 0x60 && p.Model <= 0xAF)
}

func isZen5(p knob.Processor) bool {
	return isAMD(p, 0x1A) && (p.Model <= 0x2F || p.Model >= 0x40 && p.Model <= 0x4F || p.Model >= 0x60 && p.Model <= 0x7F)
}

func memoryOf(processor knob.Processor) (group Group, known bool) {
	for _, r := range readsOf {
		if r.isOf(processor) {
			group = Group{Measure: MemoryAccesses, Events: []Event{
				raw(CountLocalAccesses, r.local[0], r.local[1]), raw(CountRemoteAccesses, r.remote[0], r.remote[1])}}
			if r.localIsAll {
				group.RestOf = CountLocalAccesses
			}
			return group, true
		}
	}
	return Group{}, false
}

// stallsOf returns slots in which an operation could have begun, and those of them in which none did because the backend, which waits
// for memory too, had no room (topdown level 1).
func stallsOf(processor knob.Processor, root string) (group Group, known bool) {
	switch {
	case isIntel(processor) && hasEvent(root, "slots") && hasEvent(root, "topdown-be-bound"):
		// The kernel makes slots of the register's shares (icl_get_topdown_value); the first has to lead the group.
		return Group{Measure: Stalls, Events: []Event{raw(CountSlots, 0x0400, 0), raw(CountStalledSlots, 0x8300, 0)}}, true
	case isZen4(processor):
		return dispatch(6), true
	case isZen5(processor):
		return dispatch(8), true
	}
	return Group{}, false
}

// dispatch are AMD's: ls_not_halted_cyc times the width, and de_no_dispatch_per_slot.backend_stalls.
func dispatch(width float64) Group {
	slots := raw(CountSlots, 0x76, 0)
	slots.Times = width
	return Group{Measure: Stalls, Events: []Event{slots, raw(CountStalledSlots, 0x1_0000_1EA0, 0)}}
}

package knob

import "slices"

// Location is one of the closed set of places that a knob may live in: registers of a CPU, and files of the kernel. The
// order is that of the writer's file of originals.
type Location int

// The places.
const (
	IntelPrefetchControl Location = iota // MSR_PREFETCH_CONTROL, once MSR_MISC_FEATURE_CONTROL (Intel SDM volume 4)
	IntelPrefetchers                     // prefetchers of newer server cores (PerfSpect's MsrPrefetchers)
	IntelAtomPrefetch                    // prefetchers of efficient server cores (PerfSpect's MsrAtomPrefTuning1)
	AMDPrefetchControl                   // Prefetch Control, bits 0-3 and 5 (AMD PPR of family 19h)
	PowerDSCR                            // data stream control register, its 3 bits of default depth (Power ISA 2.07)
	FileTransparentHugePages
	FileNUMABalancing
	FileZoneReclaim
	FileSwappiness
)

var locations = [...]struct {
	key      string
	msr      uint32 // 0 if it is none
	writable uint64
	file     string // empty if each CPU has its own
}{
	IntelPrefetchControl:     {key: "msr-0x1a4", msr: 0x1A4, writable: 0xFF},
	IntelPrefetchers:         {key: "msr-0x6d", msr: 0x6D, writable: 1 << 42},
	IntelAtomPrefetch:        {key: "msr-0x1320", msr: 0x1320, writable: 1 << 43},
	AMDPrefetchControl:       {key: "msr-0xc0000108", msr: 0xC0000108, writable: 0x2F},
	PowerDSCR:                {key: "dscr", writable: 0x7},
	FileTransparentHugePages: {"transparent-hugepage", 0, ^uint64(0), "sys/kernel/mm/transparent_hugepage/enabled"},
	FileNUMABalancing:        {"numa-balancing", 0, ^uint64(0), "proc/sys/kernel/numa_balancing"},
	FileZoneReclaim:          {"zone-reclaim", 0, ^uint64(0), "proc/sys/vm/zone_reclaim_mode"},
	FileSwappiness:           {"swappiness", 0, ^uint64(0), "proc/sys/vm/swappiness"},
}

// Locations returns every place, in order.
func Locations() []Location {
	all := make([]Location, len(locations))
	for i := range all {
		all[i] = Location(i)
	}
	return all
}

// FindLocation returns the place of this name.
func FindLocation(key string) (Location, bool) {
	i := slices.IndexFunc(Locations(), func(l Location) bool { return l.String() == key })
	return Location(i), i >= 0
}

// String returns the name in the writer's file of originals.
func (l Location) String() string { return locations[l].key }

// IsMSR reports whether the place is a model specific register.
func (l Location) IsMSR() bool { return locations[l].msr != 0 }

// MSR returns the number of the model specific register; 0 if the place is none.
func (l Location) MSR() uint32 { return locations[l].msr }

// IsPerCPU reports whether each CPU has its own.
func (l Location) IsPerCPU() bool { return locations[l].file == "" }

// File returns the path of the kernel's file below the root; it is empty if each CPU has its own.
func (l Location) File() string { return locations[l].file }

// Writable returns every bit that some knob may change on some processor. All other bits stay as they are.
func (l Location) Writable() uint64 { return locations[l].writable }

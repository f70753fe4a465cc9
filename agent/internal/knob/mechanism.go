package knob

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bits says how a machine implements a knob: as some bits of a place.
type Bits struct {
	Location     Location
	Mask         uint64 // the knob's bits; all other bits belong to others
	Coding       Coding
	Experimental bool // whether the vendor's description leaves open what the bit does to a load
}

// Coding says what the bits of a knob mean.
type Coding int

// The codings.
const (
	OneDisables     Coding = iota // a set bit turns the prefetcher off (Intel, AMD)
	OneIsNoPrefetch               // default prefetch depth of POWER: 1 is none, 0 the default, 2 to 7 from shallow to deep
	ZeroIsOff                     // 0 is off; every other number is some way of on
	HugePages                     // 0 always, 1 madvise, 2 never
	Number                        // the number itself
)

// Decode returns the value that the bits stand for; text in parentheses if the knob has no word for it.
func (b Bits) Decode(content uint64) string {
	bits := content & b.Mask
	off := false
	switch b.Coding {
	case OneDisables:
		off = bits != 0
	case OneIsNoPrefetch:
		off = bits == 1
	case ZeroIsOff:
		off = bits == 0
	case HugePages:
		if bits < uint64(len(hugePagesWords)) {
			return hugePagesWords[bits]
		}
		return fmt.Sprintf("(%d)", bits)
	case Number:
		return strconv.FormatUint(bits, 10)
	}
	if off {
		return Disabled
	}
	return Enabled
}

// Encode returns the content of the place with this knob set to a value that Check takes, and all other bits as they are.
// Bits that mean the value already stay too: a POWER depth of 7, for example, is as enabled as one of 0.
func (b Bits) Encode(content uint64, value string) uint64 {
	if b.Decode(content) == value {
		return content
	}
	var bits uint64
	off := value == Disabled
	switch {
	case b.Coding == OneDisables && off:
		bits = b.Mask
	case b.Coding == OneIsNoPrefetch && off, b.Coding == ZeroIsOff && !off:
		bits = 1
	case b.Coding == HugePages:
		bits = uint64(max(0, slices.Index(hugePagesWords, value)))
	case b.Coding == Number:
		bits, _ = strconv.ParseUint(value, 10, 64)
	}
	return content&^b.Mask | bits&b.Mask
}

// AbsentError says that a machine has no such knob, or none that is known to be safe.
type AbsentError struct{ Reason, Remedy string }

func (e *AbsentError) Error() string { return e.Reason + ": " + e.Remedy }

const (
	amdZen1And2 = 0x17
	amdZen3And4 = 0x19
	amdZen5     = 0x1A

	// prefetchCtlMSR is a bit in EAX of CPUID leaf 0x80000021 (AMD PPR, Fn8000_0021_EAX[13]).
	prefetchCtlMSR = 1 << 13

	leaveOut = "leave the knob out of the profile of such nodes"
)

// Mechanism returns how a processor, or the kernel, implements a knob, or an *AbsentError.
//
// Sources: Intel "Disclosure of Hardware Prefetcher Control on Some Intel Processors" (0x1A4, bits 0-3, Nehalem to
// Broadwell); Intel SDM volume 4 (Xeon Phi's own meaning of bits 0 and 1); Intel PerfSpect, prefetcher definitions (0x1A4
// bits 0-7, 0x6D, 0x1320, for Haswell to Clearwater Forest); Linux arch/x86/include/asm/intel-family.h (model numbers); AMD
// PPR of family 19h (0xC0000108); Power ISA (DSCR). Processors that no source names are unsupported, however much they
// resemble one that is. That the bits do something is for the writer to prove.
func Mechanism(k Knob, p Processor) (Bits, error) {
	switch k {
	case TransparentHugePages:
		return file(FileTransparentHugePages, HugePages), nil
	case NUMABalancing:
		return file(FileNUMABalancing, ZeroIsOff), nil
	case ZoneReclaim:
		return file(FileZoneReclaim, ZeroIsOff), nil
	case Swappiness:
		return file(FileSwappiness, Number), nil
	}
	switch {
	case p.Vendor == "GenuineIntel":
		return intel(k, p)
	case p.Vendor == "AuthenticAMD":
		return amd(k, p)
	case strings.HasPrefix(p.Vendor, "POWER"):
		if k == L2Stream {
			return Bits{PowerDSCR, 0x7, OneIsNoPrefetch, false}, nil
		}
		return Bits{}, &AbsentError{p.String() + " has only stream prefetch, whose default depth is in the DSCR",
			"use " + L2Stream.String() + " there"}
	case strings.HasPrefix(p.Vendor, "0x"):
		return Bits{}, &AbsentError{"Arm processors have their prefetch control in CPUECTLR_EL1 and CPUACTLR_EL1, which only" +
			" firmware may write", leaveOut + ", or look for a setting of the firmware"}
	}
	return Bits{}, &AbsentError{"no prefetcher register of " + p.String() + " is documented", leaveOut}
}

func intel(k Knob, p Processor) (Bits, error) {
	core := unknownCore
	if p.Family == 6 {
		core = coreOf(p.Model)
	}
	if core == unknownCore {
		return Bits{}, &AbsentError{p.String() + " is not in the list of processors whose prefetcher bits are known",
			leaveOut + ", or report the processor with a document of Intel"}
	}
	if n, ok := core.bit(k); ok {
		return bit(IntelPrefetchControl, n, false), nil
	}
	if k == LLCStream && core.hasPrefetchersRegister() {
		return bit(IntelPrefetchers, 42, false), nil
	}
	if k == LLCStream && core == efficientServer {
		return bit(IntelAtomPrefetch, 43, false), nil
	}
	return Bits{}, undocumented(k, p)
}

func amd(k Knob, p Processor) (Bits, error) {
	switch {
	case p.Family == amdZen1And2:
		return Bits{}, &AbsentError{"AMD documents no prefetcher register of family 17h (Zen, Zen 2)",
			leaveOut + ", or use the settings of the firmware"}
	case p.Family != amdZen3And4 && p.Family != amdZen5:
		return Bits{}, &AbsentError{p.String() + " is not in the list of processors whose prefetcher bits are known", leaveOut}
	case p.Leaf80000021 == nil:
		return Bits{}, &AbsentError{"CPUID leaf 0x80000021 cannot be read, which says whether the prefetcher register exists",
			"load the kernel module cpuid on the node, and let the writer see /dev/cpu"}
	case *p.Leaf80000021&prefetchCtlMSR == 0:
		reason := "CPUID leaf 0x80000021 EAX bit 13 says that there is no prefetcher register"
		if p.Hypervisor {
			reason += "; hypervisors hide it"
		}
		return Bits{}, &AbsentError{reason, leaveOut}
	}
	n, ok := map[Knob]int{L1NextLine: 0, L1Stride: 1, L1Region: 2, L2Stream: 3, L2AdjacentLine: 5}[k]
	if !ok {
		return Bits{}, undocumented(k, p)
	}
	return bit(AMDPrefetchControl, n, true), nil
}

func file(l Location, coding Coding) Bits { return Bits{Location: l, Mask: ^uint64(0), Coding: coding} }

func bit(l Location, n int, experimental bool) Bits {
	return Bits{l, 1 << n, OneDisables, experimental}
}

func undocumented(k Knob, p Processor) error {
	return &AbsentError{p.String() + " has no documented bit for " + k.String(), leaveOut}
}

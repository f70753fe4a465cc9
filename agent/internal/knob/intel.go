package knob

// intelCore is a group of Intel's processors of family 6 whose prefetcher bits in MSR 0x1A4 are the same. Sources: see
// Mechanism. It knows servers, and the desktop processors that share their cores up to Kaby Lake.
type intelCore int

const (
	unknownCore     intelCore = iota
	fourPrefetchers           // Nehalem to Ice Lake
	sapphireRapids            // and Emerald Rapids
	graniteRapids
	efficientServer // Sierra Forest and Clearwater Forest
	xeonPhi         // Knights Landing and Knights Mill, whose bits 0 and 1 mean something else
)

func coreOf(model int) intelCore {
	switch model {
	case 0x1A, 0x1E, 0x1F, 0x2E, 0x25, 0x2C, 0x2F, // Nehalem, Westmere
		0x2A, 0x2D, 0x3A, 0x3E, // Sandy Bridge, Ivy Bridge
		0x3C, 0x3F, 0x45, 0x46, 0x3D, 0x47, 0x4F, 0x56, // Haswell, Broadwell
		0x4E, 0x5E, 0x55, 0x8E, 0x9E, // Skylake, with Cascade Lake and Cooper Lake under the same number; Kaby Lake
		0x6A, 0x6C: // Ice Lake servers
		return fourPrefetchers
	case 0x8F, 0xCF:
		return sapphireRapids
	case 0xAD, 0xAE:
		return graniteRapids
	case 0xAF, 0xDD:
		return efficientServer
	case 0x57, 0x85:
		return xeonPhi
	}
	return unknownCore
}

// bit returns the knob's bit in MSR 0x1A4.
func (c intelCore) bit(k Knob) (n int, ok bool) {
	if c == xeonPhi {
		n, ok = map[Knob]int{L1NextLine: 0, L2Stream: 1}[k]
		return n, ok
	}
	switch k {
	case L2Stream:
		return 0, true
	case L2AdjacentLine:
		return 1, true
	case L1NextLine:
		return 2, true
	case L1Stride:
		return 3, true
	// PerfSpect has this bit for all processors, Intel's disclosure calls it reserved up to Broadwell; so it is taken only
	// where both generations of documents leave no doubt.
	case L1NextPage:
		return 4, c.hasPrefetchersRegister()
	case L2AdaptiveMultipath:
		return 5, c.hasPrefetchersRegister()
	case LLCPage:
		return 6, c == graniteRapids
	case ArrayOfPointers:
		return 7, c == graniteRapids
	}
	return 0, false
}

// hasPrefetchersRegister reports whether MSR 0x6D holds further prefetchers.
func (c intelCore) hasPrefetchersRegister() bool { return c == sapphireRapids || c == graniteRapids }

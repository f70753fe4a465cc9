package hardware

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
)

// memoryModules are those that the firmware lists (SMBIOS type 17, Memory Device: DMTF DSP0134, section 7.18), without
// persistent memory. Speeds are those of the slowest in MT/s, 0 if unknown; the kind is that of the first.
type memoryModules struct {
	count             int
	kind              string
	configured, rated int
}

// largestTable: real tables have some 10 KiB.
const largestTable = 4 << 20

const (
	structureHeader = 4
	memoryDevice    = 17
	endOfTable      = 127
)

// Offsets in a Memory Device.
const (
	moduleSize              = 0x0C
	moduleType              = 0x12
	moduleSpeed             = 0x15
	moduleConfigured        = 0x20
	moduleTechnology        = 0x28
	moduleExtendedSpeed     = 0x54
	moduleExtendedConfigure = 0x58
)

const (
	// inExtended stands for "see the extended field".
	inExtended = 0xFFFF
	// fastest: more is not a speed of a module; the CRD takes no more either.
	fastest = 100_000
	// NVDIMM-F, NVDIMM-P and Intel Optane (table 84, Memory Technology), and the type of such modules.
	firstPersistent, lastPersistent = 5, 7
	logicalNonVolatile              = 0x1F
)

// moduleKinds are those that servers had this century (table 77, Memory Device: Type).
var moduleKinds = map[byte]string{
	0x12: "DDR", 0x13: "DDR2", 0x14: "DDR2 FB-DIMM", 0x18: "DDR3", 0x1A: "DDR4", 0x1B: "LPDDR", 0x1C: "LPDDR2", 0x1D: "LPDDR3",
	0x1E: "LPDDR4", 0x20: "HBM", 0x21: "HBM2", 0x22: "DDR5", 0x23: "LPDDR5", 0x24: "HBM3",
}

// readMemoryModules reads the table that Linux gives in /sys/firmware/dmi/tables/DMI. It finds none if the file cannot be read,
// which only root may, or if the table breaks its own rules anywhere.
func readMemoryModules(file string) (memoryModules, bool) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return memoryModules{}, false
	}
	f, err := os.Open(file)
	if err != nil {
		return memoryModules{}, false
	}
	defer f.Close()
	table, err := io.ReadAll(io.LimitReader(f, largestTable))
	if err != nil {
		return memoryModules{}, false
	}
	return parseMemoryModules(table)
}

func parseMemoryModules(table []byte) (modules memoryModules, found bool) {
	for len(table) > 0 {
		if len(table) < structureHeader {
			return memoryModules{}, false
		}
		kind, length := table[0], int(table[1])
		if length < structureHeader || length > len(table) {
			return memoryModules{}, false
		}
		if kind == endOfTable {
			break
		}
		if kind == memoryDevice {
			modules.add(table[:length])
		}
		// The strings after it end with two zero bytes.
		end := bytes.Index(table[length:], []byte{0, 0})
		if end < 0 {
			return memoryModules{}, false
		}
		table = table[length+end+2:]
	}
	return modules, modules.count > 0
}

func (m *memoryModules) add(device []byte) {
	technology := octet(device, moduleTechnology)
	persistent := octet(device, moduleType) == logicalNonVolatile || technology >= firstPersistent && technology <= lastPersistent
	// An empty slot has size 0.
	if word(device, moduleSize) == 0 || persistent {
		return
	}
	if m.count == 0 {
		m.kind = moduleKinds[octet(device, moduleType)]
	}
	m.count++
	m.rated = slower(m.rated, speed(device, moduleSpeed, moduleExtendedSpeed))
	m.configured = slower(m.configured, speed(device, moduleConfigured, moduleExtendedConfigure))
}

func slower(one, other int) int {
	if one == 0 || other == 0 {
		return max(one, other)
	}
	return min(one, other)
}

func speed(device []byte, offset, extended int) int {
	speed := int(word(device, offset))
	if speed == inExtended {
		speed = 0
		if extended+4 <= len(device) {
			// Bit 31 is reserved.
			speed = int(binary.LittleEndian.Uint32(device[extended:]) &^ (1 << 31))
		}
	}
	if speed > fastest {
		return 0
	}
	return speed
}

// word is 0 if the structure ends before it, as in older tables.
func word(device []byte, offset int) uint16 {
	if offset+2 > len(device) {
		return 0
	}
	return binary.LittleEndian.Uint16(device[offset:])
}

func octet(device []byte, offset int) byte {
	if offset >= len(device) {
		return 0
	}
	return device[offset]
}

package hardware

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const ddr3, ddr4, ddr5 = 0x18, 0x1A, 0x22

// module is a Memory Device of SMBIOS 3.3.
func module(megabytes uint16, kind byte, speed, configured uint16) []byte {
	device := make([]byte, 0x5C)
	device[0], device[1], device[moduleType] = memoryDevice, 0x5C, kind
	binary.LittleEndian.PutUint16(device[moduleSize:], megabytes)
	binary.LittleEndian.PutUint16(device[moduleSpeed:], speed)
	binary.LittleEndian.PutUint16(device[moduleConfigured:], configured)
	return device
}

func extended(device []byte, speed, configured uint32) []byte {
	binary.LittleEndian.PutUint32(device[moduleExtendedSpeed:], speed)
	binary.LittleEndian.PutUint32(device[moduleExtendedConfigure:], configured)
	return device
}

func with(device []byte, at int, value byte) []byte {
	device[at] = value
	return device
}

func shortened(device []byte, length byte) []byte { return with(device, 1, length)[:length] }

// table has structures with a string each, as firmware writes them.
func table(devices ...[]byte) (all []byte) {
	for _, device := range devices {
		all = append(append(all, device...), "DIMM A\x00\x00"...)
	}
	return all
}

var (
	other = []byte{0, 6, 0, 0, 17, 17, 0, 0}
	end   = []byte{127, 4, 0, 0, 0, 0}
)

func TestReadsMemoryModules(t *testing.T) {
	for name, c := range map[string]struct {
		table []byte
		want  memoryModules
	}{
		"the slowest module speaks for all": {
			slices.Concat(other, table(module(16384, ddr4, 3200, 2933), module(0, 2, 0, 0), module(16384, ddr4, 2666, 2400)), end),
			memoryModules{2, "DDR4", 2400, 2666},
		},
		"fast modules have their speed in the extended fields": {
			slices.Concat(table(extended(module(32767, ddr5, 0xFFFF, 0xFFFF), 70_400, 66_000)), end),
			memoryModules{1, "DDR5", 66_000, 70_400},
		},
		"speeds that no module has are unknown": {
			slices.Concat(table(extended(module(8192, ddr5, 0xFFFF, 0xFFFF), 1<<32-1, 100_001)), end),
			memoryModules{1, "DDR5", 0, 0},
		},
		"before SMBIOS 2.3":            {table(shortened(module(8192, ddr3, 1866, 1600), 0x15)), memoryModules{1, "DDR3", 0, 0}},
		"before SMBIOS 2.7":            {table(shortened(module(8192, ddr3, 1866, 1600), 0x1B)), memoryModules{1, "DDR3", 0, 1866}},
		"SMBIOS 2.7, without end mark": {table(shortened(module(8192, ddr3, 1866, 1600), 0x22)), memoryModules{1, "DDR3", 1600, 1866}},
		"bytes after the end mark":     {slices.Concat(table(module(8192, ddr3, 1333, 1333)), end, []byte{1, 2, 3}), memoryModules{1, "DDR3", 1333, 1333}},
		"persistent memory is not RAM": {
			table(with(module(32767, ddr4, 2666, 2666), moduleTechnology, 7), module(32767, 0x1F, 2666, 2666), module(16384, ddr4, 2933, 2933)),
			memoryModules{1, "DDR4", 2933, 2933},
		},
	} {
		if got, found := parseMemoryModules(c.table); !found || got != c.want {
			t.Errorf("%s: %+v, %v", name, got, found)
		}
	}
}

func TestFindsNothingInWhatIsNotATable(t *testing.T) {
	for what, text := range map[string]string{
		"nothing": "", "a piece of a header": "11", "shorter than its header": "110300000000", "longer than the table": "11FF00000000",
		"strings that do not end": "1104000041", "no module at all": "7F0400000000",
	} {
		bytes, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, found := parseMemoryModules(bytes); found {
			t.Errorf("%s: %+v", what, got)
		}
	}
	if _, found := readMemoryModules("no/such/DMI"); found {
		t.Error("a file that does not exist has modules")
	}
	if _, found := parseMemoryModules([]byte(strings.Repeat("\x00", largestTable))); found {
		t.Error("zeros are modules")
	}
}

func FuzzMemoryModules(f *testing.F) {
	good := slices.Concat(other, table(module(16384, ddr4, 3200, 2933), module(16384, ddr4, 3200, 2933)), end)
	random := rand.New(rand.NewPCG(17, 0))
	for length := range good {
		f.Add(good[:length])
		changed := slices.Clone(good)
		changed[random.IntN(len(changed))] = byte(random.IntN(256))
		f.Add(changed)
	}
	f.Fuzz(func(t *testing.T, table []byte) {
		if modules, found := parseMemoryModules(table); found && (modules.count < 1 || modules.rated > fastest || modules.configured > fastest) {
			t.Errorf("%+v", modules)
		}
	})
}

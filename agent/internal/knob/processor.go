package knob

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Processor is what decides where prefetchers are controlled.
type Processor struct {
	Vendor       string  // GenuineIntel, AuthenticAMD, POWER9, or an Arm implementer such as 0x41, as /proc/cpuinfo says
	Family       int     // 0 where /proc/cpuinfo has none
	Model        int     // 0 where /proc/cpuinfo has none
	Part         int     // the "CPU part" of Arm; 0 where /proc/cpuinfo has none
	Hypervisor   bool    // whether the machine is a guest
	Leaf80000021 *uint32 // EAX of CPUID leaf 0x80000021; nil if it could not be read
}

// String returns vendor, family and model for messages.
func (p Processor) String() string {
	if p.Family == 0 {
		return p.Vendor
	}
	return fmt.Sprintf("%s family %d model %d (0x%x)", p.Vendor, p.Family, p.Model, p.Model)
}

const (
	// firstProcessor is more than the kernel writes about one processor, in bytes.
	firstProcessor = 64 << 10

	// leaf has AMD's feature bit of the prefetcher register.
	leaf      = 0x80000021
	leafBytes = 16 // EAX, EBX, ECX, EDX (Linux arch/x86/kernel/cpuid.c)
)

// ReadProcessor reads what the processor is from proc/cpuinfo below a root, and from dev/cpu/0/cpuid where the process may.
// The first processor is taken as an example of all.
func ReadProcessor(root string) (Processor, error) {
	cpuinfo, err := readAtMost(filepath.Join(root, "proc/cpuinfo"), firstProcessor)
	if err != nil {
		return Processor{}, err
	}
	found := map[string]string{}
	for line := range strings.Lines(cpuinfo) {
		key, value, ok := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, known := found[key]; ok && !known {
			found[key] = strings.TrimSpace(value)
		}
	}
	p := Processor{
		Vendor:     "unknown",
		Family:     number(found["cpu family"]),
		Model:      number(found["model"]),
		Part:       number(found["CPU part"]),
		Hypervisor: slices.Contains(strings.Fields(found["flags"]), "hypervisor"),
	}
	for _, key := range []string{"vendor_id", "CPU implementer", "cpu"} {
		if value, ok := found[key]; ok {
			p.Vendor = value
			if key == "cpu" { // POWER: "POWER9 (raw), altivec supported"
				p.Vendor = value[:len(value)-len(strings.TrimLeft(value, letters))]
			}
			break
		}
	}
	if p.Vendor == "AuthenticAMD" {
		p.Leaf80000021 = readLeaf(root)
	}
	return p, nil
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// number returns 0 for what is not a number: POWER has "model : IBM,8286", and 0 is in no list of processors.
func number(s string) int {
	n, err := strconv.ParseInt(s, 0, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// readLeaf returns nil without the module cpuid or the right to read: Mechanism says what to do about it.
func readLeaf(root string) *uint32 {
	cpuid, err := os.Open(filepath.Join(root, "dev/cpu/0/cpuid"))
	if err != nil {
		return nil
	}
	defer cpuid.Close()
	var registers [leafBytes]byte
	if _, err := cpuid.ReadAt(registers[:], leaf); err != nil {
		return nil
	}
	eax := binary.LittleEndian.Uint32(registers[:])
	return &eax
}

func readAtMost(path string, bytes int64) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, bytes))
	return string(content), err
}

package hardware

import (
	"slices"
	"strconv"
	"strings"

	"numaspark.io/agent/internal/api"
)

// Longest texts and largest numbers that the CRD admits.
const (
	longestVendor    = 64
	longestName      = 128
	longestWord      = 32
	largestCPUNumber = 65535
)

// cpuInfo is /proc/cpuinfo, whose keys differ by architecture. The first processor speaks for all.
type cpuInfo struct {
	keys       map[string]string
	smtControl string
}

func readCPUInfo(t tree) (cpuInfo, error) {
	text, err := t.text("proc/cpuinfo")
	if err != nil {
		return cpuInfo{}, err
	}
	keys := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, found := strings.Cut(line, ":")
		key = strings.TrimSpace(key)
		if _, known := keys[key]; found && !known && !strings.HasPrefix(line, ":") {
			keys[key] = strings.TrimSpace(value)
		}
	}
	const control = "sys/devices/system/cpu/smt/control"
	smt := "notimplemented"
	if t.exists(control) {
		if smt, err = t.text(control); err != nil {
			return cpuInfo{}, err
		}
	}
	return cpuInfo{keys, smt}, nil
}

func (c cpuInfo) has(key string) bool {
	_, found := c.keys[key]
	return found
}

func (c cpuInfo) hasFlag(flag string) bool {
	return slices.Contains(strings.Split(c.keys["flags"], " "), flag)
}

func (c cpuInfo) isX86() bool { return c.has("flags") && c.has("vendor_id") }

func (c cpuInfo) isPower() bool {
	return strings.HasPrefix(c.keys["cpu"], "POWER") || strings.HasPrefix(c.keys["cpu"], "Power")
}

// architecture is what uname -m says on such a processor; empty if the keys are of none that is known.
func (c cpuInfo) architecture() string {
	switch {
	case c.isX86() && c.hasFlag("lm"):
		return "x86_64"
	case c.isX86():
		return "i686"
	case c.has("CPU implementer"):
		// "AArch64" stands in place of the architecture version on some kernels.
		if version := c.keys["CPU architecture"]; number(version) >= 8 || version == "AArch64" {
			return "aarch64"
		}
		return "arm"
	case c.isPower():
		return "ppc64le" // Kubernetes has no build for big-endian POWER.
	case c.keys["vendor_id"] == "IBM/S390":
		return "s390x"
	case strings.HasPrefix(c.keys["isa"], "rv64"):
		return "riscv64"
	}
	return ""
}

// model names the processor: vendor, family and model on x86, implementer, architecture version and part number on Arm.
func (c cpuInfo) model() *api.CPU {
	vendor, family, model, name := "", "", "", c.keys["model name"]
	switch {
	case c.has("vendor_id"):
		vendor, family, model = c.keys["vendor_id"], c.keys["cpu family"], c.keys["model"]
	case c.has("CPU implementer"):
		vendor, family, model = c.keys["CPU implementer"], c.keys["CPU architecture"], c.keys["CPU part"]
	default:
		// POWER: "POWER9 (raw), altivec supported".
		name = c.keys["cpu"]
		vendor = "unknown"
		if power, _, _ := strings.Cut(strings.ReplaceAll(name, ",", " "), " "); power != "" {
			vendor = power
		}
	}
	return &api.CPU{
		Vendor:     cut(vendor, longestVendor),
		Name:       cut(name, longestName),
		Family:     cpuNumber(family),
		Model:      cpuNumber(model),
		SMTControl: cut(c.smtControl, longestWord),
	}
}

func cpuNumber(text string) *int {
	n := number(text)
	if n < 0 || n > largestCPUNumber {
		n = 0
	}
	return &n
}

// number reads a decimal, octal or hexadecimal one; 0 if it is none.
func number(text string) int {
	n, err := strconv.ParseInt(text, 0, 32)
	if err != nil {
		return 0
	}
	return int(n)
}

// cut keeps whole characters.
func cut(text string, most int) string {
	count := 0
	for at := range text {
		if count == most {
			return text[:at]
		}
		count++
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

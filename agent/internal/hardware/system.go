package hardware

import (
	"strings"

	"numaspark.io/agent/internal/api"
)

const (
	dmiID             = "sys/class/dmi/id/"
	clockSources      = "sys/devices/system/clocksource/clocksource0/available_clocksource"
	unknownHypervisor = "unknown"
)

// hypervisorVendors are words of DMI's vendor and product names, in lower case, with the hypervisor that they stand for.
var hypervisorVendors = [][2]string{
	{"kubevirt", "kvm"},
	{"openstack", "kvm"},
	{"kvm", "kvm"},
	{"rhev", "kvm"},
	{"nutanix ahv", "kvm"},
	{"qemu", "qemu"},
	{"amazon ec2", "amazon"},
	{"google compute engine", "google"},
	{"vmware", "vmware"},
	{"virtualbox", "oracle"},
	{"innotek", "oracle"},
	{"xen", "xen"},
	{"hvm domu", "xen"},
	{"microsoft corporation virtual machine", "microsoft"},
	{"alibaba cloud ecs", "kvm"},
	{"parallels", "parallels"},
	{"bhyve", "bhyve"},
	{"apple virtualization", "apple"},
}

// readSystem reads what a machine runs on. Nothing of it is needed to pin, so what is missing or not readable is unknown, never
// an error; nil if nothing is known.
func readSystem(t tree, cpu cpuInfo, dmiTable string) *api.System {
	system := api.System{
		// The kernel says it itself since Linux 6.1.
		Architecture: cut(first(t.readableText("proc/sys/kernel/arch"), cpu.architecture()), longestWord),
		Kernel:       cut(kernel(t), longestName),
		Hypervisor:   cut(hypervisor(t, cpu), longestVendor),
	}
	if modules, found := readMemoryModules(dmiTable); found {
		system.MemoryType = modules.kind
		system.MemoryModules = &modules.count
		system.MemorySpeed = known(modules.configured)
		system.MemoryRatedSpeed = known(modules.rated)
	}
	if system == (api.System{}) {
		return nil
	}
	return &system
}

func known(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

func kernel(t tree) string {
	if release := t.readableText("proc/sys/kernel/osrelease"); release != "" {
		return release
	}
	// "Linux version 6.1.0-18-amd64 (debian-kernel@..."
	if words := strings.Fields(t.readableText("proc/version")); len(words) > 2 {
		return words[2]
	}
	return ""
}

func hypervisor(t tree, cpu cpuInfo) string {
	if kind := t.readableText("sys/hypervisor/type"); kind != "" {
		return kind
	}
	switch {
	case cpu.isX86():
		// CPUID leaf 1, ECX bit 31, which hypervisors set and processors leave zero.
		if !cpu.hasFlag("hypervisor") {
			return ""
		}
		return first(hypervisorOfClock(t), hypervisorOfDMI(t), unknownHypervisor)
	case cpu.isPower():
		// PowerNV is the machine itself, pSeries a partition of PowerVM or a guest of KVM.
		if cpu.keys["platform"] != "pSeries" {
			return ""
		}
		emulated := "powervm"
		if strings.Contains(cpu.keys["machine"], "qemu") {
			emulated = "qemu"
		}
		return first(hypervisorOfDeviceTree(t), emulated)
	}
	return first(hypervisorOfDMI(t), hypervisorOfDeviceTree(t))
}

// hypervisorOfClock: Linux uses the clock of a hypervisor in its guests, which names KVM where DMI is silent.
func hypervisorOfClock(t tree) string {
	clocks := t.readableText(clockSources)
	switch {
	case strings.Contains(clocks, "kvm-clock"):
		return "kvm"
	case strings.Contains(clocks, "hyperv_clocksource"):
		return "microsoft"
	case strings.Contains(clocks, "xen"):
		return "xen"
	}
	return ""
}

func hypervisorOfDMI(t tree) string {
	product := t.readableText(dmiID + "product_name")
	if strings.Contains(product, ".metal") {
		// A whole machine of Amazon EC2 bears the name of the cloud as well.
		return ""
	}
	names := strings.ToLower(t.readableText(dmiID+"sys_vendor") + " " + product)
	for _, vendor := range hypervisorVendors {
		if strings.Contains(names, vendor[0]) {
			return vendor[1]
		}
	}
	return ""
}

func hypervisorOfDeviceTree(t tree) string {
	// Not by /proc/device-tree, an absolute link that leads out of a copy.
	compatible := t.readableText("sys/firmware/devicetree/base/hypervisor/compatible")
	switch {
	case compatible == "":
		return ""
	case strings.Contains(compatible, "kvm"):
		return "kvm"
	case strings.Contains(compatible, "xen"):
		return "xen"
	}
	return unknownHypervisor
}

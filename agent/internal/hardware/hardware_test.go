package hardware

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"numaspark.io/agent/internal/api"
)

const (
	cpuDir  = "sys/devices/system/cpu/"
	nodeDir = "sys/devices/system/node/"
)

// The command line's reader and this one say the same of each captured machine.
func TestReadsTheCapturedTreesAsTheCommandLineDoes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(trees, "*.tree"))
	if err != nil || len(files) < 14 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tree")
		t.Run(name, func(t *testing.T) {
			reading := unpack(t, name).read()
			got, err := json.Marshal(api.Spec{CPU: reading.CPU, System: reading.System, NumaNodes: reading.NumaNodes})
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(expected, name+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var want struct{ Spec map[string]any }
			if err := yaml.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			if wanted, _ := json.Marshal(want.Spec); canonical(t, got) != string(wanted) {
				t.Errorf("got  %s\nwant %s", canonical(t, got), wanted)
			}
		})
	}
}

func canonical(t *testing.T, text []byte) string {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}

func TestGroupsCPUsByNumaNode(t *testing.T) {
	reading := unpack(t, "ivybridge-offline-sibling").read()
	if reading.Online.Contains(24) || reading.Online.Size() != 47 {
		t.Errorf("%s", reading.Online)
	}
	if !reading.ByNode[0].Union(reading.ByNode[1]).Equals(reading.Online) || reading.ByNode[0].Size() != 23 {
		t.Errorf("%v", reading.ByNode)
	}
}

func TestWhatKernelsFirmwareAndCopiesDo(t *testing.T) {
	const tree = "ivybridge-smt2" // CPUs 0-11,24-35 and 12-23,36-47
	for name, c := range map[string]struct {
		change func(fake)
		holds  func(Reading) bool
	}{
		"line ends and zero bytes of a copy": {
			func(f fake) {
				f.write(cpuDir+"online", "0-47\r\n\x00\x00")
				f.write(nodeDir+"node0/meminfo", "Node 0 MemTotal:  8388608 kB\r\nNode 0 MemFree: 1 kB\r")
			},
			func(r Reading) bool { return r.NumaNodes[0].Memory == 8<<30 && r.Online.String() == "0-47" },
		},
		"folders of NUMA nodes that are not there": {
			func(f fake) { f.mkdir(nodeDir + "node2"); f.mkdir(nodeDir + "node99999999999") },
			func(r Reading) bool { return len(r.NumaNodes) == 2 },
		},
		"a kernel without NUMA": {
			func(f fake) {
				f.remove(nodeDir)
				f.write("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:  1 kB")
				f.write("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "4")
			},
			func(r Reading) bool {
				only := r.NumaNodes[0]
				return len(r.NumaNodes) == 1 && only.Hugepages["2Mi"] == 4 && slices.Equal(only.Distances, []int{10}) && len(only.Cores) == 24
			},
		},
		"huge pages of all sizes": {
			func(f fake) {
				f.write(nodeDir+"node1/hugepages/hugepages-2048kB/nr_hugepages", "512")
				f.write(nodeDir+"node1/hugepages/hugepages-1048576kB/nr_hugepages", "2")
				f.write(nodeDir+"node1/hugepages/hugepages-64kB/nr_hugepages", "3")
				f.mkdir(nodeDir + "node1/hugepages/hugepages-16384kB")
			},
			func(r Reading) bool {
				pages := r.NumaNodes[1].Hugepages
				return len(pages) == 3 && pages["2Mi"] == 512 && pages["1Gi"] == 2 && pages["64Ki"] == 3
			},
		},
		"an unknown package": {
			func(f fake) { f.write(cpuDir+"cpu0/topology/physical_package_id", "-1") },
			func(r Reading) bool { return r.NumaNodes[0].Socket == 0 },
		},
		"sockets numbered by offsets of ACPI": {
			func(f fake) {
				f.write(cpuDir+"cpu0/topology/physical_package_id", "36")
				f.write(cpuDir+"cpu12/topology/physical_package_id", "8256")
			},
			func(r Reading) bool { return r.NumaNodes[0].Socket == 0 && r.NumaNodes[1].Socket == 1 },
		},
		"memory alone, nearest to the second socket": {
			func(f fake) {
				f.write(nodeDir+"node2/cpulist", "")
				f.write(nodeDir+"node2/meminfo", "Node 2 MemTotal: 1024 kB")
				f.write(nodeDir+"node2/distance", "28 14 10")
			},
			func(r Reading) bool {
				node := r.NumaNodes[2]
				return node.Socket == r.NumaNodes[1].Socket && node.Memory == 1<<20 && len(node.Cores) == 0 && node.Cores != nil
			},
		},
		"memory alone without distances": {
			func(f fake) {
				f.write(nodeDir+"node2/cpulist", "\n")
				f.write(nodeDir+"node2/meminfo", "Node 2 MemTotal: 1024 kB")
			},
			func(r Reading) bool { return r.NumaNodes[2].Socket == 0 && len(r.NumaNodes[2].Distances) == 0 },
		},
		"CPUs without a list": {
			func(f fake) {
				f.remove(cpuDir + "online")
				f.write(cpuDir+"cpu5/online", "1")
				f.write(cpuDir+"cpu6/online", "0")
				f.remove(cpuDir + "cpu7/topology")
			},
			func(r Reading) bool { return r.Online.String() == "0-5,8-47" },
		},
		"CPUs of a NUMA node that is off line": {
			func(f fake) { f.remove(nodeDir + "node0") },
			func(r Reading) bool { return r.Online.String() == "12-23,36-47" },
		},
		"masks in place of lists": {
			func(f fake) {
				f.remove(nodeDir + "node0/cpulist")
				f.write(nodeDir+"node0/cpumap", "0000000f,ff000fff")
			},
			func(r Reading) bool { return r.ByNode[0].String() == "0-11,24-35" },
		},
		"caches that say nothing": {
			func(f fake) {
				caches, _ := filepath.Glob(filepath.Join(f.root, cpuDir, "cpu*/cache"))
				for _, cache := range caches {
					_ = os.RemoveAll(cache)
				}
			},
			func(r Reading) bool { return r.NumaNodes[0].Caches == nil && r.NumaNodes[1].Caches == nil },
		},
		"a version in place of a release": {
			func(f fake) {
				f.remove("proc/sys/kernel/osrelease")
				f.write("proc/version", "Linux version 6.1.0-18-amd64 (builder@host) #1")
			},
			func(r Reading) bool { return r.System.Kernel == "6.1.0-18-amd64" },
		},
		"what cannot be read is unknown": {
			func(f fake) {
				f.remove("proc/sys/kernel/osrelease")
				f.remove("proc/version")
				f.mkdir("proc/sys/kernel/osrelease")
				f.remove("sys/firmware/dmi/tables/DMI")
				f.mkdir("sys/firmware/dmi/tables/DMI")
			},
			func(r Reading) bool { return r.System.Kernel == "" && r.System.MemoryModules == nil },
		},
		"some threads of the cores off": {
			func(f fake) { f.write(cpuDir+"smt/control", "4") },
			func(r Reading) bool { return r.CPU.SMTControl == "4" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := unpack(t, tree)
			c.change(f)
			if reading := f.read(); !c.holds(reading) {
				t.Errorf("%+v", reading)
			}
		})
	}
}

func TestKnowsTheCPUsThatAreIsolated(t *testing.T) {
	for text, want := range map[string]string{"": "", "\n": "", "2-3\n": "2-3", "nonsense": ""} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, cpuDir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, cpuDir, "isolated"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := (&reader{tree: tree{root}}).isolatedCPUs(); got.String() != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	if got := (&reader{tree: tree{t.TempDir()}}).isolatedCPUs(); !got.IsEmpty() {
		t.Errorf("without the file: %s", got)
	}
}

func TestReadsTheFirmwaresTableElsewhere(t *testing.T) {
	f := unpack(t, "ivybridge-smt2")
	table := filepath.Join(f.root, "DMI")
	if err := os.Rename(filepath.Join(f.root, "sys/firmware/dmi/tables/DMI"), table); err != nil {
		t.Fatal(err)
	}
	if modules := f.read().System.MemoryModules; modules != nil {
		t.Error(*modules)
	}
	reading, err := Read(f.root, table)
	if err != nil || reading.System.MemoryModules == nil || *reading.System.MemoryModules != 8 {
		t.Error(reading.System, err)
	}
}

func TestNamesTheFileThatIsMissing(t *testing.T) {
	for _, file := range []string{nodeDir + "node1/meminfo", cpuDir + "cpu0/topology/physical_package_id", "proc/cpuinfo"} {
		f := unpack(t, "ivybridge-smt2")
		f.remove(file)
		f.refuses(file, " does not exist; point the reader at")
	}
	f := unpack(t, "ivybridge-smt2")
	f.remove(cpuDir)
	f.refuses(cpuDir+"online", " does not exist;")
	f.mkdir(cpuDir + "online")
	f.refuses(cpuDir+"online", " cannot be read (it is not a regular file); check")
}

func TestNamesTheFileThatItDoesNotUnderstand(t *testing.T) {
	for _, c := range []struct{ file, text, wanted string }{
		{cpuDir + "online", "zero", "a CPU list such as 0-3,8"},
		{cpuDir + "online", "0-\xe4", "a CPU list such as 0-3,8"},
		{cpuDir + "online", "0-999999999", "a CPU list such as 0-3,8"},
		{nodeDir + "node0/cpulist", "7-0", "a CPU list such as 0-3,8"},
		{nodeDir + "node0/meminfo", "Node 0 MemFree: 1 kB", "a line MemTotal in kB"},
		{nodeDir + "node0/meminfo", "Node 0 MemTotal: 99999999999999999999 kB", "a line MemTotal in kB"},
		{nodeDir + "node0/distance", "near far", "distances such as 10 21"},
		{nodeDir + "node0/distance", "10 99999999999", "distances such as 10 21"},
		{nodeDir + "node0/hugepages/hugepages-2048kB/nr_hugepages", "-1", "a number of huge pages"},
		{nodeDir + "node0/hugepages/hugepages-2048kB/nr_hugepages", "9223372036854775807", "a number of huge pages"},
		{cpuDir + "cpu0/topology/physical_package_id", "one", "a whole number"},
		{cpuDir + "cpu0/topology/physical_package_id", "2147483648", "the number of a socket"},
		{cpuDir + "cpu0/topology/core_cpus_list", "1", "the CPU itself too"},
		{cpuDir + "cpu2/topology/core_cpus_list", "1-2", "no CPU of another core (1)"},
		{nodeDir + "node1/cpulist", "0-11", "no CPU of another NUMA node (0-11)"},
		{cpuDir + "cpu0/cache/index3/level", "three", "a whole number"},
	} {
		f := unpack(t, "ivybridge-smt2")
		f.write(c.file, c.text)
		f.refuses(c.file, " should hold "+c.wanted+";")
	}
}

func TestKnowsTheHypervisor(t *testing.T) {
	const clock = clockSources
	for _, c := range []struct{ cpuinfo, file, text, want string }{
		{"vendor_id : GenuineIntel/flags : fpu lm", "", "", ""},
		{"vendor_id : GenuineIntel/flags : fpu lm", dmiID + "product_name", "KVM", ""},
		{"vendor_id : GenuineIntel/flags : fpu lm hypervisor", "", "", "unknown"},
		{"vendor_id : GenuineIntel/flags : fpu lm hypervisor", clock, "tsc kvm-clock", "kvm"},
		{"vendor_id : GenuineIntel/flags : fpu lm hypervisor", clock, "hyperv_clocksource_tsc_page tsc", "microsoft"},
		{"vendor_id : GenuineIntel/flags : fpu lm hypervisor", clock, "xen tsc", "xen"},
		{"vendor_id : GenuineIntel/flags : fpu lm hypervisor", dmiID + "sys_vendor", "VMware, Inc.", "vmware"},
		{"vendor_id : GenuineIntel/flags : fpu lm hypervisor", dmiID + "product_name", "VirtualBox", "oracle"},
		{"vendor_id : GenuineIntel/flags : fpu lm", "sys/hypervisor/type", "xen", "xen"},
		{"CPU implementer : 0x41/CPU architecture : 8", "", "", ""},
		{"CPU implementer : 0x41/CPU architecture : 8", dmiID + "product_name", "c6g.metal", ""},
		{"CPU implementer : 0x41/CPU architecture : 8", dmiID + "sys_vendor", "Amazon EC2", "amazon"},
		{"CPU implementer : 0x41/CPU architecture : 8", "sys/firmware/devicetree/base/hypervisor/compatible", "xen,xen-4.17", "xen"},
		{"CPU implementer : 0x41/CPU architecture : 8", "sys/firmware/devicetree/base/hypervisor/compatible", "acme,vm", "unknown"},
		{"cpu : POWER9 (raw)/platform : PowerNV", "", "", ""},
		{"cpu : POWER9/platform : pSeries/machine : CHRP IBM pSeries (emulated by qemu)", "", "", "qemu"},
		{"cpu : POWER9/platform : pSeries/machine : CHRP IBM,9009-22A", "", "", "powervm"},
		{"cpu : POWER9/platform : pSeries", "sys/firmware/devicetree/base/hypervisor/compatible", "linux,kvm", "kvm"},
	} {
		f := fake{t, t.TempDir()}
		f.write("proc/cpuinfo", strings.ReplaceAll(c.cpuinfo, "/", "\n"))
		if c.file != "" {
			f.write(c.file, c.text)
		}
		cpu, err := readCPUInfo(tree{f.root})
		if got := hypervisor(tree{f.root}, cpu); got != c.want || err != nil {
			t.Errorf("%s with %s %s: %s, %v; want %s", c.cpuinfo, c.file, c.text, got, err, c.want)
		}
	}
}

func TestKnowsTheProcessorOfEachArchitecture(t *testing.T) {
	for _, c := range []struct {
		cpuinfo, architecture, vendor string
		family, model                 int
	}{
		{"vendor_id : AuthenticAMD/cpu family : 25/model : 17/flags : fpu lm", "x86_64", "AuthenticAMD", 25, 17},
		{"vendor_id : GenuineIntel/flags : fpu", "i686", "GenuineIntel", 0, 0},
		{"processor : 0/CPU implementer : 0x41/CPU architecture: 8/CPU part : 0xd0c", "aarch64", "0x41", 8, 3340},
		{"CPU implementer : 0x41/CPU architecture: AArch64", "aarch64", "0x41", 0, 0},
		{"CPU implementer : 0x41/CPU architecture : 7", "arm", "0x41", 7, 0},
		{"processor : 0/cpu : POWER9 (raw), altivec supported", "ppc64le", "POWER9", 0, 0},
		{"cpu : Power11, altivec supported", "ppc64le", "Power11", 0, 0},
		{"vendor_id : IBM/S390", "", "IBM", 0, 0},
		{"isa : rv64imafdc", "riscv64", "unknown", 0, 0},
		{"processor : 0", "", "unknown", 0, 0},
	} {
		f := fake{t, t.TempDir()}
		f.write("proc/cpuinfo", strings.ReplaceAll(c.cpuinfo, "/", "\n"))
		cpu, err := readCPUInfo(tree{f.root})
		if err != nil {
			t.Fatal(err)
		}
		model := cpu.model()
		if cpu.architecture() != c.architecture || model.Vendor != c.vendor || *model.Family != c.family || *model.Model != c.model ||
			model.SMTControl != "notimplemented" {
			t.Errorf("%s: %s, %+v", c.cpuinfo, cpu.architecture(), model)
		}
	}
}

// Whatever is wrong, the tree is read or refused with the file named; nothing panics.
func TestReadsOrRefusesWhateverIsInTheFiles(t *testing.T) {
	texts := []string{"", "\x00\x00", "-1", "0", "1", "0-3", "3-0", "0,4", "99999999999999999999", "9223372036854775807", "2147483648",
		"0-8191", "8192", "off", "Node 0 MemTotal: 999999999999999 kB", "Node 0 MemTotal: -5 kB", "MemTotal: 12 kB\r\n", "10 20",
		"10\t\t", "NaN", "a: b\nvendor_id : \nflags :", "cpu : POWER\nplatform : pSeries", "\uFFFD\x00\uFEFF", "Unified",
		strings.Repeat("x", 10_000)}
	random := rand.New(rand.NewPCG(5, 0))
	for _, name := range []string{"guest-without-cache", "kernel-without-numa", "power8-smt-off"} {
		f := unpack(t, name)
		var files []string
		_ = filepath.WalkDir(f.root, func(path string, entry os.DirEntry, _ error) error {
			if entry.Type().IsRegular() {
				files = append(files, path)
			}
			return nil
		})
		refused := 0
		for range 150 {
			broken := map[string][]byte{}
			for range 1 + random.IntN(3) {
				file := files[random.IntN(len(files))]
				if _, twice := broken[file]; twice {
					continue
				}
				before, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				broken[file] = before
				breakFile(t, file, before, texts, random)
			}
			if _, err := Read(f.root, ""); err != nil {
				refused++
				if !strings.Contains(err.Error(), f.root) || !strings.Contains(err.Error(), "; ") {
					t.Errorf("no file and remedy: %v", err)
				}
			}
			for file, before := range broken {
				_ = os.RemoveAll(file)
				if err := os.WriteFile(file, before, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		if refused < 10 || refused == 150 {
			t.Errorf("%s: %d of 150 were refused", name, refused)
		}
		f.read()
	}
}

func breakFile(t *testing.T, file string, before []byte, texts []string, random *rand.Rand) {
	text := slices.Clone(before)
	switch random.IntN(6) {
	case 0, 1:
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if random.IntN(2) == 0 {
			_ = os.Mkdir(file, 0o755)
		}
		return
	case 2:
		for i := range text {
			text[i] = byte(random.IntN(256))
		}
	case 3:
		text = text[:random.IntN(len(text)+1)]
	case 4:
		if len(text) > 0 {
			text[random.IntN(len(text))] = byte(random.IntN(256))
		}
	default:
		text = []byte(texts[random.IntN(len(texts))])
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestCacheReadsAgainWhenCPUsComeOrGoAndAfterTenMinutes(t *testing.T) {
	f := unpack(t, "ivybridge-smt2")
	cache := NewCache(f.root, "")
	now := time.Unix(0, 0)
	memory := func() int64 {
		reading, err := cache.Read(now)
		if err != nil {
			t.Fatal(err)
		}
		return reading.NumaNodes[0].Memory
	}
	before := memory()
	f.write(nodeDir+"node0/meminfo", "Node 0 MemTotal: 1 kB")
	if now = now.Add(9 * time.Minute); memory() != before {
		t.Error("read again without a reason")
	}
	if now = now.Add(time.Minute); memory() != 1024 {
		t.Error("not read again after ten minutes")
	}
	f.write(nodeDir+"node0/meminfo", "Node 0 MemTotal: 2 kB")
	f.write(cpuDir+"online", "0-46")
	if memory() != 2048 {
		t.Error("not read again without CPU 47")
	}
	f.remove("proc/cpuinfo")
	f.write(cpuDir+"online", "0-47")
	if _, err := cache.Read(now); err == nil {
		t.Error("an old reading hides an error")
	}
}

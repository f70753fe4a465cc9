package knob

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
)

func lines(t *testing.T, path string) []string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
}

func parse(t *testing.T, values map[string]string) Settings {
	t.Helper()
	settings, err := ParseSettings(values)
	if err != nil {
		t.Fatal(err)
	}
	return settings
}

// Each line is what an earlier release answers about a processor and a knob.
func TestMechanismIsThatOfAnEarlierRelease(t *testing.T) {
	codings := map[Coding]string{
		OneDisables: "ONE_DISABLES", OneIsNoPrefetch: "ONE_IS_NO_PREFETCH", ZeroIsOff: "ZERO_IS_OFF", HugePages: "HUGE_PAGES",
		Number: "NUMBER",
	}
	listed := map[string]bool{}
	for _, line := range lines(t, "testdata/mechanisms.txt")[1:] {
		key, want, _ := strings.Cut(line, ": ")
		listed[key] = true
		fields := strings.Split(key, " ")
		p := processor(t, fields)
		k, ok := Find(fields[5])
		if !ok {
			t.Fatalf("%s is not a knob", fields[5])
		}
		var got string
		if b, err := Mechanism(k, p); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprintf("%s %x %s %t", b.Location, b.Mask, codings[b.Coding], b.Experimental)
			if b.Mask&^b.Location.Writable() != 0 {
				t.Errorf("%s: mask %x is not writable", key, b.Mask)
			}
		}
		if got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	// Of most models of Intel the list has only the knobs that exist.
	for model := range 256 {
		for _, k := range All()[:LLCStream+1] {
			_, err := Mechanism(k, Processor{Vendor: "GenuineIntel", Family: 6, Model: model})
			if key := fmt.Sprintf("GenuineIntel 6 %d false none %s", model, k); err == nil && !listed[key] {
				t.Errorf("%s is not in the list", key)
			}
		}
	}
}

func processor(t *testing.T, fields []string) Processor {
	t.Helper()
	family, err1 := strconv.Atoi(fields[1])
	model, err2 := strconv.Atoi(fields[2])
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	p := Processor{Vendor: strings.TrimPrefix(fields[0], "-"), Family: family, Model: model, Hypervisor: fields[3] == "true"}
	if fields[4] != "none" {
		eax, err := strconv.ParseUint(fields[4], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		leaf := uint32(eax)
		p.Leaf80000021 = &leaf
	}
	return p
}

func TestCodes(t *testing.T) {
	power := Processor{Vendor: "POWER8"}
	for _, test := range []struct {
		knob          Knob
		value         string
		before, after uint64
	}{
		{TransparentHugePages, "Madvise", 2, 1},
		{TransparentHugePages, "Always", 2, 0},
		{NUMABalancing, "Disabled", 2, 0},
		{NUMABalancing, "Enabled", 2, 2}, // memory tiering, a way of Enabled that stays
		{NUMABalancing, "Enabled", 0, 1},
		{ZoneReclaim, "Enabled", 4, 4},
		{Swappiness, "10", 60, 10},
		{L2Stream, "Disabled", 0x10, 0x11},
		{L2Stream, "Disabled", 0x17, 0x11},
		{L2Stream, "Enabled", 0x11, 0x10},
		{L2Stream, "Enabled", 0x17, 0x17},
	} {
		b, err := Mechanism(test.knob, power)
		if err != nil {
			t.Fatal(err)
		}
		after := b.Encode(test.before, test.value)
		if after != test.after || b.Decode(after) != test.value {
			t.Errorf("%v %s: 0x%x becomes 0x%x, %s", test.knob, test.value, test.before, after, b.Decode(after))
		}
	}
}

func row(t *testing.T, start string) []string {
	t.Helper()
	for _, line := range lines(t, "../../../docs/knobs.md") {
		if strings.HasPrefix(line, "| "+start+" |") {
			return strings.Split(line, "|")
		}
	}
	t.Fatalf("docs/knobs.md has no row of %s", start)
	return nil
}

func TestDocument(t *testing.T) {
	open := ^uint32(0)
	amd := Processor{Vendor: "AuthenticAMD", Family: 0x19, Model: 1, Leaf80000021: &open}
	intel := Processor{Vendor: "GenuineIntel", Family: 6, Model: 0xAD}
	if len(All()) != 14 {
		t.Errorf("%d knobs", len(All()))
	}
	for _, k := range All() {
		columns := row(t, "`"+k.String()+"`")
		if !k.IsPrefetcher() {
			continue
		}
		if b, err := Mechanism(k, intel); err == nil {
			want := fmt.Sprintf("0x%X bit %d", b.Location.MSR(), bits.TrailingZeros64(b.Mask))
			if !strings.Contains(columns[2], want) {
				t.Errorf("%v: no %s in %s", k, want, columns[2])
			}
		}
		if b, err := Mechanism(k, amd); err == nil {
			if want := fmt.Sprintf("bit %d", bits.TrailingZeros64(b.Mask)); !strings.Contains(columns[3]+",", want) {
				t.Errorf("%v: no %s in %s", k, want, columns[3])
			}
		}
	}
	for _, state := range []string{Applied, Observed, Drifted, Failed, Unsupported, Restored} {
		row(t, state)
	}
	requests := 0
	for _, line := range lines(t, "../../../docs/knobs.md") {
		if strings.HasPrefix(line, `{"op"`) {
			requests++
			if _, err := DecodeRequest([]byte(line)); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
	if requests != 3 {
		t.Errorf("%d requests", requests)
	}
}

func TestRequestsAreThoseOfAnEarlierRelease(t *testing.T) {
	for _, line := range lines(t, "testdata/requests.jsonl") {
		request, err := DecodeRequest([]byte(line))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if again, err := request.Encode(); err != nil || string(again) != line+"\n" {
			t.Errorf("%s becomes %s, %v", line, again, err)
		}
	}
	refused := 0
	for _, line := range lines(t, "testdata/refusals.tsv") {
		request, want, _ := strings.Cut(line, "\t")
		if _, err := DecodeRequest([]byte(request)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", request, err, want)
		}
		refused++
	}
	if refused != 16 {
		t.Errorf("%d refusals", refused)
	}
}

func TestRepliesAreThoseOfAnEarlierRelease(t *testing.T) {
	all := lines(t, "testdata/replies.jsonl")
	for _, line := range all[:3] {
		states, err := DecodeReply([]byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if again, err := EncodeReply(states); err != nil || string(again) != line+"\n" {
			t.Errorf("%s becomes %s, %v", line, again, err)
		}
	}
	_, err := DecodeReply([]byte(all[3]))
	var refused *RefusedError
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	if again, err := EncodeError(refused.Reason); err != nil || string(again) != all[3]+"\n" {
		t.Errorf("%s becomes %s, %v", all[3], again, err)
	}
	for _, line := range []string{
		"", "{}", "[]", `{"knobs":{}}`, `{"knobs":[1]}`, `{"knobs":[{"name":1}]}`, `{"knobs":[]`, `{"knobs":[]}{}`, `{"error":1}`,
		`{"states":[]}`, `{"knobs":[{"name":"a","name":"b"}]}`,
	} {
		if states, err := DecodeReply([]byte(line)); err == nil {
			t.Errorf("%s is taken as %v", line, states)
		}
	}
}

func TestRefusesRequests(t *testing.T) {
	deep := strings.Repeat("[", 60_000)
	for line, want := range map[string]string{
		`{"settings":{}}`: "op: is missing: write apply, restore or status",
		`{"op":"apply","settings":{"msr-0x1a4":"Disabled"}}`:          "'msr-0x1a4' is not a knob",
		`{"op":"apply","settings":{"prefetch.l1Stride":"disabled"}}`:  "prefetch.l1Stride: 'disabled' is not a value",
		`{"op":"apply","settings":{"prefetch.l1Stride":true}}`:        "prefetch.l1Stride: is not text",
		`{"op":"apply","settings":{"prefetch.l1Stride":"Unmanaged"}}`: "prefetch.l1Stride: 'Unmanaged' is not",
		`{"op":"apply","settings":{"memory.swappiness":"-1"}}`:        "memory.swappiness: '-1' is not a value",
		`{"op":"apply","settings":{"memory.swappiness":"+1"}}`:        "memory.swappiness: '+1' is not a value",
		`{"op":"apply","settings":{"memory.swappiness":"01"}}`:        "memory.swappiness: '01' is not a value",
		`{"op":"apply","settings":{},"cpus":"99999"}`:                 "cpus: '99999' is not a list of CPUs",
		`{"op":"status","op":"restore"}`:                              "the line is not JSON: Duplicate field 'op'",
		`{"op":"apply","settings":{"a":"b","a":"b"}}`:                 "Duplicate field 'a'",
		`{"op":"status"`:                        "the line is not JSON",
		`{"op":"status",}`:                      "the line is not JSON",
		`{"op":"status"} x`:                     "the line is not JSON",
		"{\"op\":\"\xff\"}":                     "the line is not JSON",
		"status":                                "the line is not JSON",
		deep:                                    "a request: is not an object",
		`{"op":"apply","settings":{"a":` + deep: "a: is not text",
		`{"op":"apply","settings":null}`:        "settings: is not an object",
	} {
		if _, err := DecodeRequest([]byte(line)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v, want %s", line, err, want)
		}
	}
}

func TestRefusesRandomBytesAndNothingWorse(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	valid := []byte(`{"op":"apply","settings":{"prefetch.l1Stride":"Disabled"},"cpus":"0-3"}`)
	refused := 0
	for i := range 20_000 {
		var line []byte
		if i%2 == 0 {
			line = make([]byte, random.Intn(64))
			random.Read(line)
		} else {
			line = bytes.Clone(valid[:len(valid)-random.Intn(3)])
			for range 1 + random.Intn(3) {
				line[random.Intn(len(line))] = byte(random.Int())
			}
		}
		if _, err := DecodeRequest(line); err != nil {
			refused++
			if strings.ContainsFunc(err.Error(), func(c rune) bool { return c < ' ' || c > 126 }) {
				t.Errorf("%q: %q", line, err)
			}
		}
	}
	if refused < 18_000 {
		t.Errorf("%d refused", refused)
	}
}

func TestReadLine(t *testing.T) {
	for _, test := range []struct{ source, want, err string }{
		{"abc\nrest", "abc", ""}, {"abcd\n", "abcd", ""}, {"\n", "", ""}, {"abc", "", "unexpected EOF"}, {"", "", "unexpected EOF"},
		{"abcde\n", "", "the line is longer than 4 bytes"}, {"abcdefgh", "", "the line is longer than 4 bytes"},
	} {
		got, err := ReadLine(strings.NewReader(test.source), 4)
		if string(got) != test.want || (err == nil) != (test.err == "") || err != nil && err.Error() != test.err {
			t.Errorf("%q: %q, %v", test.source, got, err)
		}
	}
}

func put(t *testing.T, root, name, content string) {
	t.Helper()
	path := filepath.Join(root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		t.Fatal(err)
	}
}

func TestObserver(t *testing.T) {
	skylake := Processor{Vendor: "GenuineIntel", Family: 6, Model: 0x55}
	wish := "it does not have the wanted value: set mode Enforce in the profile to have it set"
	needsWriter := "only the privileged writer can read registers, and it reads those that a profile enforces:" +
		" set mode Enforce to have it read and set"
	unreadable := "/proc/sys/vm/swappiness cannot be read: the kernel may be built without it"
	for _, test := range []struct {
		processor             Processor
		file, content         string
		name, wanted          string
		actual, state, prefix string
	}{
		{skylake, "sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n", "memory.transparentHugePages", "Madvise",
			"Madvise", Observed, ""},
		{skylake, "proc/sys/kernel/numa_balancing", "1\n", "memory.numaBalancing", "Enabled", "Enabled", Observed, ""},
		{skylake, "proc/sys/kernel/numa_balancing", "2\n", "memory.numaBalancing", "Enabled", "Enabled", Observed, ""},
		{skylake, "proc/sys/vm/zone_reclaim_mode", "0\n", "memory.zoneReclaim", "Disabled", "Disabled", Observed, ""},
		{skylake, "proc/sys/vm/swappiness", "60\n", "memory.swappiness", "60", "60", Observed, ""},
		{skylake, "proc/sys/vm/swappiness", "60\n", "memory.swappiness", "1", "60", Observed, wish},
		{skylake, "proc/sys/vm/swappiness", "", "memory.swappiness", "1", Unknown, Unsupported, unreadable},
		{skylake, "proc/sys/vm/swappiness", "sixty", "memory.swappiness", "1", Unknown, Unsupported, unreadable},
		{skylake, "proc/sys/vm/swappiness", "[always", "memory.swappiness", "1", Unknown, Unsupported, unreadable},
		{skylake, "proc/sys/vm/swappiness", "99999999999999999999999", "memory.swappiness", "1", Unknown, Unsupported, unreadable},
		{skylake, "", "", "memory.swappiness", "1", Unknown, Unsupported, unreadable},
		{skylake, "", "", "prefetch.l1NextLine", "Disabled", Unknown, Observed, needsWriter},
		{Processor{Vendor: "AuthenticAMD", Family: 0x19, Model: 1}, "", "", "prefetch.l1NextLine", "Disabled", Unknown, Observed,
			needsWriter},
		{skylake, "", "", "prefetch.llcPage", "Disabled", Unknown, Unsupported, "GenuineIntel family 6 model 85 (0x55) has no"},
		{Processor{Vendor: "0x41", Family: 8}, "", "", "prefetch.l1NextLine", "Disabled", Unknown, Unsupported, "Arm processors"},
	} {
		root := t.TempDir()
		if test.file != "" {
			put(t, root, test.file, test.content)
		}
		states := NewObserver(root, test.processor).Observe(parse(t, map[string]string{test.name: test.wanted}))
		if len(states) != 1 || !strings.HasPrefix(states[0].Message, test.prefix) || test.prefix == "" && states[0].Message != "" {
			t.Fatalf("%v", states)
		}
		want := api.KnobState{Name: test.name, Wanted: test.wanted, Actual: test.actual, State: test.state, Message: states[0].Message}
		if states[0] != want {
			t.Errorf("%+v, want %+v", states[0], want)
		}
	}
}

func TestReadProcessor(t *testing.T) {
	for _, test := range []struct {
		cpuinfo string
		want    Processor
	}{
		{"processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: X\nflags\t\t: fpu hypervisor lm\n\n" +
			"processor\t: 1\nvendor_id\t: Other\nmodel\t: 1\n", Processor{Vendor: "GenuineIntel", Family: 6, Model: 85, Hypervisor: true}},
		{"processor\t: 0\ncpu\t\t: POWER8E (raw), altivec supported\n\nmodel\t: IBM,8286\n", Processor{Vendor: "POWER8E"}},
		{"processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n", Processor{Vendor: "0x41"}},
		{"", Processor{Vendor: "unknown"}},
		{"vendor_id : GenuineIntel\nflags : nohypervisor\nfiller" + strings.Repeat("x", 1<<20), Processor{Vendor: "GenuineIntel"}},
		{"vendor_id : AuthenticAMD\ncpu family : 25\n", Processor{Vendor: "AuthenticAMD", Family: 25}},
	} {
		root := t.TempDir()
		put(t, root, "proc/cpuinfo", test.cpuinfo)
		if got, err := ReadProcessor(root); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%.60q: %+v, %v", test.cpuinfo, got, err)
		}
	}
	if _, err := ReadProcessor(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without cpuinfo: %v", err)
	}
}

// mute listens and never answers.
func mute(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mute.sock")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return path
}

func TestClientDoesNotWaitForEver(t *testing.T) {
	_, err := Client{mute(t), 50 * time.Millisecond}.Status(context.Background())
	if err == nil || !strings.Contains(err.Error(), "has not replied within 50ms") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Client{mute(t), time.Hour}).Apply(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestClientJudgesReplies(t *testing.T) {
	for reply, want := range map[string]string{
		"":                              "before its reply was whole",
		`{"knobs":[]}`:                  "before its reply was whole",
		"{\"error\":\"no\"}\n":          "the writer refuses: no",
		"HTTP/1.1 200 OK\n":             "is not understood",
		strings.Repeat(" ", MaxReply+2): "longer than 1048576 bytes",
	} {
		path := filepath.Join(t.TempDir(), "writer.sock")
		listener, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		asked := make(chan string, 1)
		go func() {
			conn, err := listener.Accept()
			if err != nil {
				asked <- err.Error()
				return
			}
			defer conn.Close()
			line, _ := bufio.NewReader(conn).ReadString('\n')
			_, _ = conn.Write([]byte(reply))
			asked <- line
		}()
		cores := cpuset.New(1, 2)
		_, err = Client{path, time.Minute}.Apply(context.Background(), Settings{Swappiness: "1"}, &cores)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v", reply, err)
		}
		if line := <-asked; line != `{"op":"apply","settings":{"memory.swappiness":"1"},"cpus":"1-2"}`+"\n" {
			t.Errorf("asked %s", line)
		}
		listener.Close()
	}
}

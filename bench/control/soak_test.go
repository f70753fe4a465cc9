package main

import (
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// measured makes samples ten minutes apart, of a heap that a function gives.
func measured(count int, heap func(int) float64) []Sample {
	var samples []Sample
	for i := range count {
		samples = append(samples, Sample{Minutes: float64(10 * i), Heap: int64(heap(i) * mebibyte), Threads: 40, Series: 300, Objects: 90})
	}
	return samples
}

func TestGrowthIsFoundWhateverTheNoise(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	noise := func() float64 { return (random.Float64() - 0.5) * 0.6 }
	for name, test := range map[string]struct {
		heap  func(int) float64
		grows bool
	}{
		"flat":                    {func(int) float64 { return 40 + noise() }, false},
		"grows":                   {func(i int) float64 { return 40 + 0.2*float64(i) + noise() }, true},
		"warms up":                {func(i int) float64 { return 40 + float64(min(i, 3)) + noise() }, false},
		"one high measurement":    {func(i int) float64 { return map[bool]float64{true: 60, false: 40}[i == 9] + noise() }, false},
		"the last one is high":    {func(i int) float64 { return map[bool]float64{true: 60, false: 40}[i == 11] + noise() }, false},
		"shrinks":                 {func(i int) float64 { return 60 - float64(i) }, false},
		"grows, and falls once":   {func(i int) float64 { return map[bool]float64{true: 30, false: 40 + 0.3*float64(i)}[i == 10] }, true},
		"goes up and down by one": {func(i int) float64 { return 40 + float64(i%2) }, false},
	} {
		found := trends(measured(12, test.heap))
		if len(found) != len(quantities) || found[0].Grows != test.grows {
			t.Errorf("%s: %+v", name, found)
		}
		for _, trend := range found[1:] {
			if trend.Grows || trend.Growth != 0 {
				t.Errorf("%s: %+v", name, trend)
			}
		}
	}
}

func TestFewMeasurementsAreNotJudged(t *testing.T) {
	flat := func(int) float64 { return 40 }
	if report := (SoakReport{Trends: trends(measured(4, flat)), OperatorReady: 1}); !report.failed() {
		t.Error("four measurements, less the warm-up, are too few to say that nothing grows")
	}
	if report := (SoakReport{Trends: trends(measured(5, flat)), OperatorReady: 1}); report.failed() {
		t.Errorf("%+v", report)
	}
}

func TestARestartIsNoFlatness(t *testing.T) {
	report := SoakReport{Trends: trends(measured(6, func(int) float64 { return 40 })), OperatorReady: 2}
	var out strings.Builder
	report.print(&out)
	if !report.failed() || !strings.Contains(out.String(), "started again") {
		t.Error(out.String())
	}
}

func TestCyclesFitTheTime(t *testing.T) {
	for hours, want := range map[float64]time.Duration{0.01: shortestCycle, 0.5: 150 * time.Second, 1: 5 * time.Minute, 8: longestCycle} {
		if got := cycleOf(hours); got != want {
			t.Errorf("%v hours: %s", hours, got)
		}
	}
}

func TestMetricsAreRead(t *testing.T) {
	text := "# HELP jvm_memory_pool_collection_used_bytes what\n# TYPE jvm_memory_pool_collection_used_bytes gauge\n" +
		"jvm_memory_pool_collection_used_bytes{pool=\"Eden Space\"} 0.0\n" +
		"jvm_memory_pool_collection_used_bytes{pool=\"Tenured Gen\"} 1.2582912E7\n\n" +
		"jvm_memory_pool_collection_used_bytes_else{pool=\"x\"} 5\n"
	if count := countSeries(text); count != 3 {
		t.Errorf("%d series", count)
	}
	if sum, err := sumOf(text, heapMetric); err != nil || sum != 12<<20 {
		t.Errorf("%d, %v", sum, err)
	}
	if _, err := sumOf(text, "no_such_metric"); err == nil {
		t.Error("a metric that is missing is not a zero")
	}
}

func TestOwnListenersAreFound(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	found, err := listeners(os.Getpid())
	if err != nil || !slices.Contains(found, netip.MustParseAddrPort(listener.Addr().String())) {
		t.Errorf("%s is not among %v: %v", listener.Addr(), found, err)
	}
}

func TestSocketsOfTheKernelAreRead(t *testing.T) {
	const rest = " 00000000:00000000 00:00000000 00000000     0        0 123456 1 0000000000000000 100 0 0 10 0"
	for line, want := range map[string]string{
		"   0: 0100007F:1F90 00000000:0000 0A" + rest:                                                 "127.0.0.1:8080",
		"   1: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A" + rest: "127.0.0.1:8080",
		"   2: 0000000000000000FFFF00000100007F:0050 00000000000000000000000000000000:0000 0A" + rest: "127.0.0.1:80",
	} {
		address, inode, listening := parseSocket(line)
		if !listening || address.String() != want || inode != "123456" {
			t.Errorf("%s: %s %s %t", line, address, inode, listening)
		}
	}
	for _, line := range []string{"", "  sl  local_address rem_address   st", "   0: 0100007F:1F90 0100007F:9999 01" + rest} {
		if _, _, listening := parseSocket(line); listening {
			t.Errorf("%q is not a listener", line)
		}
	}
}

func TestOneMissedProbeIsTolerated(t *testing.T) {
	liveness := &Liveness{}
	for _, err := range []error{nil, io.EOF, nil, io.EOF, nil} {
		liveness.note(err)
	}
	if what := liveness.verdict(); what != "" {
		t.Error(what)
	}
	liveness.note(io.EOF)
	liveness.note(io.ErrUnexpectedEOF)
	liveness.note(nil)
	if what := liveness.verdict(); !strings.Contains(what, "2 probes") || !strings.Contains(what, io.ErrUnexpectedEOF.Error()) {
		t.Error(what)
	}
}

// byteCounter takes so many bytes and then fails, as a client that has had enough.
type byteCounter struct{ taken, limit int }

func (c *byteCounter) Write(piece []byte) (int, error) {
	if c.taken+len(piece) > c.limit {
		return 0, io.ErrShortWrite
	}
	c.taken += len(piece)
	return len(piece), nil
}

func TestHostileAnswersEnd(t *testing.T) {
	for _, hostility := range flooding {
		client := &byteCounter{limit: 32 << 20}
		err := hostility.answer(t.Context(), client)
		if err == nil && client.taken > client.limit || err != nil && client.taken < 16<<20 {
			t.Errorf("%s: %d bytes, %v", hostility.name, client.taken, err)
		}
	}
	exact := &byteCounter{limit: 100}
	if err := repeated("abc", 100)(exact); err != nil || exact.taken != 100 {
		t.Errorf("%d bytes, %v", exact.taken, err)
	}
}

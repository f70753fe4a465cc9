package writer

import (
	"fmt"
	"maps"
	"os"
	"testing"

	"numaspark.io/agent/internal/knob"
)

func prefetch(t testing.TB) knob.Settings {
	return settings(t, "prefetch.l1NextLine", "Disabled", "prefetch.l2AdjacentLine", "Disabled", "prefetch.llcStream", "Disabled",
		"memory.swappiness", "1")
}

func changed(t testing.TB) knob.Settings {
	return settings(t, "prefetch.l2AdjacentLine", "Disabled", "prefetch.l2Stream", "Disabled", "memory.swappiness", "10",
		"memory.transparentHugePages", "Madvise")
}

// work is what one writer does between two crashes.
type work func(f *tree, w *Writer)

// life is a profile that comes, changes, shrinks to one core, and goes.
func life(f *tree, w *Writer) {
	_, err1 := w.Resume()
	_, err2 := w.Apply(prefetch(f.t), nil)
	_, err3 := w.Apply(changed(f.t), nil)
	_, err4 := w.Apply(changed(f.t), set(1))
	_, err5 := w.Apply(prefetch(f.t), set(0))
	_, err6 := w.Close()
	f.must(err1, err2, err3, err4, err5, err6)
}

func apply(f *tree, w *Writer) {
	_, err := w.Apply(prefetch(f.t), nil)
	f.must(err)
}

func restore(f *tree, w *Writer) {
	_, err := w.Restore()
	f.must(err)
}

func resume(f *tree, w *Writer) {
	_, err := w.Resume()
	f.must(err)
}

func crashTree(t testing.TB) *tree {
	f := newTree(t, mkdir(t))
	f.x86("GenuineIntel", 6, 0x8F, "fpu msr")
	f.fill(knob.IntelPrefetchers, 0)
	// Firmware defaults that are not 0, and bits that are nobody's business.
	f.set(control, 0, 0x1001)
	f.set(control, 1, 0x1002)
	f.set(control, 2, 0x1001)
	f.set(control, 3, 0x1002)
	return f
}

func mkdir(t testing.TB) string {
	t.Helper()
	directory, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	return directory
}

// runUntil reports whether the writer was killed at this step; a negative one never comes.
func runUntil(f *tree, step int, does work) (isKilled bool) {
	defer func() {
		if recovered := recover(); recovered != nil {
			if _, ok := recovered.(killed); !ok {
				panic(recovered)
			}
			isKilled = true
		}
	}()
	c := &crash{at: step}
	processor, err := knob.ReadProcessor(f.root)
	f.must(err)
	does(f, newWriter(quiet, newFaulty(f, c), processor, store{f.path("state"), &faultyDisk{crash: c}}))
	return false
}

func TestRestoresWhateverStepItWasKilledAt(t *testing.T) {
	step := 0
	for isKilled := true; isKilled; step++ {
		f := crashTree(t)
		before := f.everything()
		isKilled = runUntil(f, step, life)
		runUntil(f, -1, restore)
		f.requireBack(before, fmt.Sprintf("killed at step %d", step))
	}
	if step < 200 {
		t.Errorf("a life has %d steps", step)
	}
}

func TestContinuesARestoreThatWasKilledItself(t *testing.T) {
	step, askedFor := 0, 0
	for isKilled := true; isKilled; step++ {
		f := crashTree(t)
		before := f.everything()
		runUntil(f, -1, apply)
		applied := f.everything()
		isKilled = runUntil(f, step, restore)
		// Nobody asks: the next writer knows by itself once the restore has begun.
		begun := !maps.Equal(f.everything(), applied)
		runUntil(f, -1, resume)
		if !begun && !maps.Equal(f.everything(), before) {
			askedFor++
			runUntil(f, -1, restore)
		}
		f.requireBack(before, fmt.Sprintf("killed at step %d of the restore", step))
	}
	if step < 20 {
		t.Errorf("a restore has %d steps", step)
	}
	if askedFor != 3 {
		t.Errorf("killed %d times before it was on disk that a restore has begun", askedFor)
	}
}

func TestRestoresAfterTwoCrashes(t *testing.T) {
	const stride = 19 // a prime, so that all kinds of steps meet each other without all pairs being run
	pairs := 0
	for i, first := 0, true; first; i += stride {
		for j, second := i%stride, true; second; j += stride {
			f := crashTree(t)
			before := f.everything()
			first = runUntil(f, i, life)
			does := work(life)
			if i%2 == 0 {
				does = restore
			}
			second = runUntil(f, j, does)
			runUntil(f, -1, restore)
			f.requireBack(before, fmt.Sprintf("killed at step %d, then at step %d", i, j))
			pairs++
		}
	}
	if pairs < 80 {
		t.Errorf("%d pairs", pairs)
	}
}

func TestContinuesAfterACrashWithWhatIsStillWanted(t *testing.T) {
	step := 0
	for isKilled := true; isKilled; step++ {
		f := crashTree(t)
		before := f.everything()
		isKilled = runUntil(f, step, apply)
		runUntil(f, -1, apply)
		if got := f.registers(control)[3]; got != 0x1006 {
			t.Fatalf("killed at step %d: 0x%x", step, got)
		}
		runUntil(f, -1, restore)
		f.requireBack(before, fmt.Sprintf("killed at step %d", step))
	}
	if step < 30 {
		t.Errorf("%d steps", step)
	}
}

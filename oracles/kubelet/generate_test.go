package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

func generated(t *testing.T, arguments ...string) []string {
	t.Helper()
	var buffer bytes.Buffer
	if err := generate(arguments, bufio.NewWriter(&buffer)); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(buffer.String()), "\n")
}

func TestCasesDependOnSeedAndNumberAlone(t *testing.T) {
	all := generated(t, "--seed", "5", "--count", "30")
	part := generated(t, "--seed", "5", "--first", "10", "--count", "20")
	if len(all) != 30 || strings.Join(all[10:], "\n") != strings.Join(part, "\n") {
		t.Error("the same cases came out differently")
	}
	if other := generated(t, "--seed", "6", "--count", "1"); other[0] == all[0] {
		t.Error("another seed gave the same case")
	}
}

// What the generator writes, the command run reads and answers as the generator did.
func TestGeneratedCasesRun(t *testing.T) {
	lines := generated(t, "--seed", "9", "--count", "200")
	var answers bytes.Buffer
	if err := run(strings.NewReader(strings.Join(lines, "\n")), bufio.NewWriter(&answers)); err != nil {
		t.Fatal(err)
	}
	for i, text := range strings.Split(strings.TrimSpace(answers.String()), "\n") {
		var c struct {
			ID     string          `json:"id"`
			Expect json.RawMessage `json:"expect"`
		}
		if err := json.Unmarshal([]byte(lines[i]), &c); err != nil {
			t.Fatal(err)
		}
		if want := `{"id":"` + c.ID + `",` + string(c.Expect)[1:]; text != want {
			t.Errorf("got  %s\nwant %s", text, want)
		}
		if strings.Contains(text, `"error"`) {
			t.Errorf("the generator made a bad case: %s", text)
		}
	}
}

func TestClassesRestrictTheCases(t *testing.T) {
	for name, belongs := range classes {
		s := selection{seed: 3, count: 3, classes: name}
		err := s.each(func(c Case) error {
			if !belongs(c) {
				t.Errorf("%s: %s does not belong to it", name, c.ID)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&selection{count: 1, classes: "no-such"}).each(nil); err == nil {
		t.Error("an unknown class was taken")
	}
}

// The static CPU manager starts a goroutine that would never end.
func TestCasesLeaveNoGoroutinesBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		answer(tableCases()[0])
	}
	if after := runtime.NumGoroutine(); after > before+2 {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

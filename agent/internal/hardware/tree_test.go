package hardware

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"numaspark.io/agent/internal/cpus"
)

// trees are captured machines, each file in one line: `path = text` with \n, \t and \\ in the text, `path =base64 bytes`, and
// cpu{0-3,8} for equal files of several CPUs.
const trees = "../../../operator/planner/src/test/resources/trees"

// expected has what the command line, whose reader is in Java, makes of the same trees.
const expected = "../../../operator/cli/src/test/resources/topology/expected"

// fake is an unpacked tree that a test may change.
type fake struct {
	t    testing.TB
	root string
}

func unpack(t testing.TB, name string) fake {
	t.Helper()
	f := fake{t, t.TempDir()}
	text, err := os.ReadFile(filepath.Join(trees, name+".tree"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		path, content, _ := strings.Cut(line, " =")
		if encoded, found := strings.CutPrefix(content, "base64 "); found {
			bytes, err := base64.StdEncoding.DecodeString(encoded)
			if err != nil {
				t.Fatal(err)
			}
			content = string(bytes)
		} else {
			content = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`).Replace(strings.TrimPrefix(content, " ")) + "\n"
		}
		before, rest, found := strings.Cut(path, "{")
		if !found {
			f.write(path, content)
			continue
		}
		list, after, _ := strings.Cut(rest, "}")
		ids, err := cpus.Parse(list)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids.List() {
			f.write(before+strconv.Itoa(id)+after, content)
		}
	}
	return f
}

func (f fake) write(path, text string) {
	f.t.Helper()
	file := filepath.Join(f.root, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f fake) remove(path string) {
	f.t.Helper()
	if err := os.RemoveAll(filepath.Join(f.root, path)); err != nil {
		f.t.Fatal(err)
	}
}

func (f fake) mkdir(path string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Join(f.root, path), 0o755); err != nil {
		f.t.Fatal(err)
	}
}

func (f fake) read() Reading {
	f.t.Helper()
	reading, err := Read(f.root, "")
	if err != nil {
		f.t.Fatal(err)
	}
	return reading
}

func (f fake) refuses(start, part string) {
	f.t.Helper()
	if _, err := Read(f.root, ""); err == nil || !strings.HasPrefix(err.Error(), filepath.Join(f.root, start)) ||
		!strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "; ") {
		f.t.Errorf("%v; want %s ... %s", err, start, part)
	}
}

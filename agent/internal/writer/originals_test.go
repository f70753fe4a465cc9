package writer

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"numaspark.io/agent/internal/knob"
)

// The files are what an earlier release wrote.
func TestOriginalsAreThoseOfAnEarlierRelease(t *testing.T) {
	files, err := filepath.Glob("testdata/originals-*.json")
	if err != nil || len(files) != 4 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		o, err := parseOriginals(text)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if again, err := o.marshal(); err != nil || string(again) != string(text) {
			t.Errorf("%s becomes %s, %v", file, again, err)
		}
	}
}

func TestOriginalsMeanWhatTheyMeant(t *testing.T) {
	text, err := os.ReadFile("testdata/originals-restoring.json")
	if err != nil {
		t.Fatal(err)
	}
	o, err := parseOriginals(text)
	if err != nil {
		t.Fatal(err)
	}
	all := ^uint64(0)
	want := map[cell]saved{
		{knob.FileSwappiness, ofNode}:           {all, 60},
		{knob.FileTransparentHugePages, ofNode}: {all, 2},
		{knob.FileNUMABalancing, ofNode}:        {all, 1},
		{knob.FileZoneReclaim, ofNode}:          {all, 1<<63 | 1},
		{control, 0}:                            {0x24, 0x20},
		{control, 8191}:                         {0xff, 0xff},
		{knob.IntelPrefetchers, 10}:             {1 << 42, 1 << 42},
		{knob.IntelPrefetchers, 9}:              {1 << 42, 0},
		{knob.IntelAtomPrefetch, 3}:             {1 << 43, 1 << 43},
		{knob.AMDPrefetchControl, 1}:            {0x2f, 0x20},
		{knob.PowerDSCR, 159}:                   {7, 0},
	}
	if o.bootID != "11111111-2222-3333-4444-555555555555" || !o.restoring || !maps.Equal(o.cells, want) {
		t.Errorf("%+v", o)
	}
}

func TestRefusesOriginals(t *testing.T) {
	for name, text := range map[string]string{
		"half a file":      `{"bootId":"1111`,
		"nothing":          "",
		"another order":    `{"restoring":false,"bootId":"b","cells":{}}`,
		"a field too many": `{"bootId":"b","restoring":false,"cells":{},"more":1}`,
		"a field too few":  `{"bootId":"b","restoring":false}`,
		"a field twice":    `{"bootId":"b","bootId":"b","restoring":false,"cells":{}}`,
		"a cell twice": `{"bootId":"b","restoring":false,"cells":{"dscr/0":{"mask":"1","original":"0"},` +
			`"dscr/0":{"mask":"1","original":"1"}}}`,
		"a cell twice, spelled": `{"bootId":"b","restoring":false,"cells":{"dscr/00":{"mask":"1","original":"0"}}}`,
		"a place of nobody":     `{"bootId":"b","restoring":false,"cells":{"msr-0x10/0":{"mask":"1","original":"0"}}}`,
		"a place without a CPU": `{"bootId":"b","restoring":false,"cells":{"dscr":{"mask":"1","original":"0"}}}`,
		"a file with a CPU":     `{"bootId":"b","restoring":false,"cells":{"swappiness/0":{"mask":"1","original":"0"}}}`,
		"a CPU of nobody":       `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/99999":{"mask":"4","original":"0"}}}`,
		"bits of nobody":        `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"f00","original":"0"}}}`,
		"bits outside of it":    `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"4","original":"2"}}}`,
		"an empty mask":         `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"0","original":"0"}}}`,
		"a prefix":              `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"0x4","original":"0"}}}`,
		"a sign":                `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":"+4","original":"0"}}}`,
		"a bit too many":        `{"bootId":"b","restoring":false,"cells":{"swappiness":{"mask":"1ffffffffffffffff","original":"0"}}}`,
		"a number":              `{"bootId":"b","restoring":false,"cells":{"msr-0x1a4/0":{"mask":4,"original":"0"}}}`,
		"a word for a flag":     `{"bootId":"b","restoring":"false","cells":{}}`,
		"something after it":    `{"bootId":"b","restoring":false,"cells":{}} {}`,
	} {
		if o, err := parseOriginals([]byte(text)); err == nil {
			t.Errorf("%s is taken as %+v", name, o)
		}
	}
}

package pinfile

import (
	"reflect"
	"strings"
	"testing"
)

const twoSlots = `{"generation": "g", "mode": "Pin", "memory": "Bind", "online": "0-7", "memoryNodes": "0", "shared": "0-1",
  "formerShared": ["0"], "cores": ["0", "1", "2,3", "4,5"], "slots": [
  {"id": "a", "profile": "p", "numaNode": "0", "cpus": "2-3", "memoryNodes": "0"},
  {"id": "b", "profile": "p", "numaNode": "0", "cpus": "4-5", "memoryNodes": "0"}]}`

func TestALayoutIsReadAsItWasWritten(t *testing.T) {
	for _, source := range []string{twoSlots, strings.Replace(twoSlots, `["0"]`, `[]`, 1), twoSlots[:strings.Index(twoSlots, "\n  {")] + "]}"} {
		layout, err := ParseLayout([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		written, err := layout.Encode()
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseLayout(written)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, layout) {
			t.Errorf("%s\n%+v\n%+v", source, layout, got)
		}
	}
}

func TestALayoutThatContradictsItselfIsRefusedWithTheField(t *testing.T) {
	for change, want := range map[string]string{
		``:                      "",
		`"g"->""`:               "generation: has 0 characters",
		`"generation": "g", ->`: "generation, mode or memory is missing",
		`"Pin"->"pin"`:          "mode: is 'pin': write one of [Release Observe Pin Ignore]",
		`"Bind"->"Strict"`:      "memory: is 'Strict'",
		`"0-7"->""`:             "online: has 0 CPUs",
		`"0-7"->"0-1024"`:       "online: has 1025 CPUs",
		`"0-7"->"0-3"`:          "slots[1].cpus: 4-5 is not online",
		`"0-1"->""`:             "shared: is empty",
		`"memoryNodes": "0", "shared"->"memoryNodes": "", "shared"`: "memoryNodes: is empty",
		`"memoryNodes": "0"},->"memoryNodes": "1"},`:                "slots[0].memoryNodes: 1 has no memory",
		`"2,3", "4,5"]->"2,3", "3,4"]`:                              "cores[3]: '3-4' is empty or has a CPU of another core",
		`["0", "1",->["",`:                                          "cores[0]: '' is empty",
		`["0"]->["x"]`:                                              "formerShared: 'x' in 'x' is not a CPU id",
		`["0"]->"0"`:                                                "formerShared: is not an array",
		`"id": "b"->"id": "shared"`:                                 "is a word with a meaning",
		`"0-1"->"0-8"`:                                              "shared: 8 is not online",
		`"0-1"->"0-2"`:                                              "slots[0].cpus: 2 belongs to another slot or is shared",
		`"4-5"->"3-5"`:                                              "slots[1].cpus: 3 belongs to another slot or is shared",
		`"4-5"->"five"`:                                             "slots[1].cpus: 'five' in 'five' is not a CPU id",
		`"4-5"->""`:                                                 "slots[1]: cpus or memoryNodes is empty",
		`"id": "b"->"id": "a"`:                                      "slots[1].id: 'a' is given twice",
		`"id": "b"->"id": "b,c"`:                                    "slots[1].id: 'b,c' has a comma",
		`"id": "b", ->`:                                             "slots[1]: id or profile is missing",
		`"id": "b"->"id": 7`:                                        "slots[1].id: is not text",
		`"id": "b"->"colour": "b"`:                                  "slots[1]: 'colour' is not a field of a slot",
		`"slots"->"slices"`:                                         "'slices' is not a field of a layout",
		`"numaNode": "0", "cpus": "4-5"->"numaNode": "-1", "cpus": "4-5"`: "slots[1].numaNode: '-1' is not the id",
		`"4-5", "memoryNodes": "0"}]}->"4-5", "memoryNodes": "0"}]`:       "ends in the middle",
		`"4-5", "memoryNodes": "0"}]}->"4-5", "memoryNodes": "0"}]}}`:     "",
	} {
		old, next, _ := strings.Cut(change, "->")
		source := twoSlots
		if change != "" {
			if !strings.Contains(source, old) {
				t.Fatalf("%q is not in the layout", old)
			}
			source = strings.Replace(source, old, next, 1)
		}
		_, err := ParseLayout([]byte(source))
		switch {
		case change == "" && err != nil:
			t.Errorf("refused: %v", err)
		case change != "" && err == nil:
			t.Errorf("%s: taken", change)
		case change != "" && !strings.Contains(err.Error(), want):
			t.Errorf("%s: %v, want %q", change, err, want)
		}
	}
	if _, err := ParseLayout(make([]byte, MaxLayout+1)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a long one: %v", err)
	}
}

func FuzzParseLayout(f *testing.F) {
	f.Add([]byte(twoSlots))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, source []byte) {
		layout, err := ParseLayout(source)
		if err != nil {
			return
		}
		again, err := layout.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseLayout(again); err != nil && len(again) <= MaxLayout {
			t.Fatalf("%s: %v", again, err)
		}
	})
}

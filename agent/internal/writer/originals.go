package writer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"numaspark.io/agent/internal/strictjson"
	"numaspark.io/agent/internal/text"
)

// originals is what was there before the writer changed it: for each touched cell, the bits that it may have changed and
// what they were.
//
// A bit once claimed keeps its original until it is released, so that an original is never overwritten by a changed value.
// Bits that the writer never touches are not kept: if something else changes them, they stay changed. A value is replaced
// as a whole, and not changed.
type originals struct {
	bootID    string // the kernel's id of the start of the machine during which all this was read
	restoring bool   // whether everything is on its way back, so that the next writer continues unasked
	cells     map[cell]saved
}

// saved are claimed bits of a cell.
type saved struct {
	mask uint64 // the bits that the writer may have changed
	bits uint64 // their original content, 0 outside of the mask
}

// claim adds bits of cells with their content as it is now. Those that are claimed already keep their original.
func (o originals) claim(claims map[cell]saved) originals {
	o.cells = clone(o.cells)
	for c, claim := range claims {
		old := o.cells[c]
		added := claim.mask &^ old.mask
		o.cells[c] = saved{old.mask | added, old.bits | claim.bits&added}
	}
	return o
}

// release forgets bits that have their original content again.
func (o originals) release(masks map[cell]uint64) originals {
	o.cells = clone(o.cells)
	for c, mask := range masks {
		old := o.cells[c]
		if kept := old.mask &^ mask; kept == 0 {
			delete(o.cells, c)
		} else {
			o.cells[c] = saved{kept, old.bits & kept}
		}
	}
	return o
}

func clone(of map[cell]saved) map[cell]saved {
	if of == nil {
		return map[cell]saved{}
	}
	return maps.Clone(of)
}

// marshal returns the file's text: JSON with bits in hexadecimal, so that people can read them too. Spaces are those of
// earlier releases, so that a file does not change with the release.
func (o originals) marshal() ([]byte, error) {
	bootID, err := json.Marshal(o.bootID)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"bootId\" : %s,\n  \"restoring\" : %t,\n  \"cells\" : {", bootID, o.restoring)
	for i, c := range sorted(o.cells) {
		if i > 0 {
			out.WriteByte(',')
		}
		fmt.Fprintf(&out, "\n    \"%s\" : {\n      \"mask\" : \"%x\",\n      \"original\" : \"%x\"\n    }",
			c, o.cells[c].mask, o.cells[c].bits)
	}
	if len(o.cells) > 0 {
		out.WriteString("\n ")
	}
	out.WriteString(" }\n}")
	return out.Bytes(), nil
}

// parseOriginals reads what marshal returns. A file with anything in it that the writer could not have written is refused
// as a whole; half of the originals would be worse than none.
func parseOriginals(source []byte) (originals, error) {
	decoder, err := strictjson.NewDecoder(source)
	if err != nil {
		return originals{}, err
	}
	o := originals{cells: map[cell]saved{}}
	err = ordered(decoder, "the text", field{"bootId", func(name string) (err error) {
		o.bootID, err = decoder.Text(name)
		return err
	}}, field{"restoring", func(name string) (err error) {
		o.restoring, err = decoder.Bool(name)
		return err
	}}, field{"cells", func(name string) error {
		return decoder.Object(name, func(name string) error {
			c, err := parseCell(name)
			if err == nil {
				o.cells[c], err = parseSaved(decoder, c)
			}
			return err
		})
	}})
	if err == nil {
		err = decoder.End()
	}
	return o, err
}

func parseSaved(decoder *strictjson.Decoder, c cell) (saved, error) {
	var s saved
	number := func(into *uint64) func(string) error {
		return func(name string) error {
			hex, err := decoder.Text(name)
			if err != nil {
				return err
			}
			if *into, err = strconv.ParseUint(hex, 16, 64); err != nil {
				return fmt.Errorf("'%s' of %s is not a hexadecimal number", text.Quote(hex), c)
			}
			return nil
		}
	}
	if err := ordered(decoder, c.String(), field{"mask", number(&s.mask)}, field{"original", number(&s.bits)}); err != nil {
		return saved{}, err
	}
	if s.mask == 0 || s.mask&^c.location.Writable() != 0 || s.bits&^s.mask != 0 {
		return saved{}, fmt.Errorf("%s has bits that no knob has", c)
	}
	return s, nil
}

// field is a name of an object, and what reads its value.
type field struct {
	name string
	read func(name string) error
}

// ordered reads an object with exactly these fields, in this order.
func ordered(decoder *strictjson.Decoder, what string, fields ...field) error {
	next := 0
	err := decoder.Object(what, func(name string) error {
		if next == len(fields) || fields[next].name != name {
			return fmt.Errorf("%s: '%s' is not the field that is to follow", what, text.Quote(name))
		}
		next++
		return fields[next-1].read(name)
	})
	if err == nil && next < len(fields) {
		err = fmt.Errorf("%s: %s is missing", what, fields[next].name)
	}
	return err
}

package hardware

import (
	"path/filepath"
	"time"
)

// rereadAfter is for what changes without a trace, such as huge pages.
const rereadAfter = 10 * time.Minute

// Cache reads a node's hardware again when CPUs went on or off line, and every ten minutes. It is not for several goroutines at
// once.
type Cache struct {
	root, dmiTable string
	reading        Reading
	traces         [2]string
	due            time.Time
}

// NewCache makes one for the tree below the root. The folder of the firmware's tables is empty if it is where it belongs.
func NewCache(root, dmi string) *Cache {
	c := &Cache{root: root}
	if dmi != "" {
		c.dmiTable = filepath.Join(dmi, "tables/DMI")
	}
	return c
}

// Read returns what Read returns, or has returned a while ago.
func (c *Cache) Read(now time.Time) (Reading, error) {
	t := tree{c.root}
	// What changes when CPUs come or go.
	traces := [2]string{t.readableText(cpusFolder + "/online"), t.readableText(cpusFolder + "/smt/control")}
	if traces == c.traces && now.Before(c.due) {
		return c.reading, nil
	}
	reading, err := Read(c.root, c.dmiTable)
	if err != nil {
		return Reading{}, err
	}
	c.reading, c.traces, c.due = reading, traces, now.Add(rereadAfter)
	return reading, nil
}

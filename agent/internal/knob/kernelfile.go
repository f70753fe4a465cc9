package knob

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"numaspark.io/agent/internal/text"
)

const longestKernelFile = 4096

// hugePagesModes are the kernel's words, by the number that stands for them here.
var hugePagesModes = []string{"always", "madvise", "never"}

// ReadKernelFile reads a place that is a file below a root. It returns the number in it; for transparent huge pages the
// index of the chosen word.
func ReadKernelFile(root string, l Location) (uint64, error) {
	content, err := ReadShort(filepath.Join(root, l.File()))
	if err != nil {
		return 0, err
	}
	if l != FileTransparentHugePages {
		return ParseNumber(content, 10, l.File())
	}
	// "always [madvise] never"
	word := content
	if _, after, ok := strings.Cut(content, "["); ok {
		if chosen, _, ok := strings.Cut(after, "]"); ok {
			word = chosen
		}
	}
	mode := slices.Index(hugePagesModes, word)
	if mode < 0 {
		return 0, fmt.Errorf("'%s' in /%s has no mode", text.Quote(content), l.File())
	}
	return uint64(mode), nil
}

// SpellKernelFile returns the text that sets a place that is a file.
func SpellKernelFile(l Location, content uint64) string {
	if l == FileTransparentHugePages && content < uint64(len(hugePagesModes)) {
		return hugePagesModes[content]
	}
	return strconv.FormatUint(content, 10)
}

// ParseNumber reads a number; its error names the file.
func ParseNumber(s string, base int, file string) (uint64, error) {
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return 0, fmt.Errorf("'%s' in /%s is not a number", text.Quote(s), file)
	}
	return n, nil
}

// ReadShort returns the first 4096 bytes of a file, without white space at its ends.
func ReadShort(path string) (string, error) {
	content, err := readAtMost(path, longestKernelFile)
	return strings.TrimSpace(content), err
}

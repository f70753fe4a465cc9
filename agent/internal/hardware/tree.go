package hardware

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/cpus"
)

// longestFile is far more than /proc/cpuinfo of 8192 CPUs has.
const longestFile = 64 << 20

// tree gives access to the files below a root that is laid out like a machine's own. Each error names the file and what to do
// about it. Texts lose the zero bytes and line ends around them, which copies of such files come with.
type tree struct{ root string }

func (t tree) path(name string) string { return filepath.Join(t.root, name) }

func (t tree) exists(name string) bool {
	_, err := os.Stat(t.path(name))
	return err == nil
}

// text is that of a file that every supported kernel has.
func (t tree) text(name string) (string, error) {
	text, err := readText(t.path(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s does not exist; point the reader at the root of a Linux system or at a copy that has this file",
			t.path(name))
	case err != nil:
		return "", t.unreadable(name, err)
	}
	return text, nil
}

func readText(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		// To read a pipe could take for ever.
		return "", errors.New("it is not a regular file")
	}
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, longestFile))
	return strings.TrimFunc(string(content), func(c rune) bool { return c <= ' ' }), err
}

func (t tree) unreadable(name string, err error) error {
	return fmt.Errorf("%s cannot be read (%w); check that the reader may read it", t.path(name), err)
}

// optionalText is that of a file that only some machines have; empty if there is none.
func (t tree) optionalText(name string) (string, error) {
	if !t.exists(name) {
		return "", nil
	}
	return t.text(name)
}

// readableText is that of a file of which nothing depends; empty too if it is not readable.
func (t tree) readableText(name string) string {
	text, err := t.optionalText(name)
	if err != nil {
		return ""
	}
	return text
}

func (t tree) cpus(name string) (cpuset.CPUSet, error) {
	text, err := t.text(name)
	if err != nil {
		return cpuset.New(), err
	}
	set, err := cpus.Parse(text)
	if err != nil {
		return set, t.unexpected(name, "a CPU list such as 0-3,8")
	}
	return set, nil
}

// cpusOrMask reads a CPU list, or the mask in its place that kernels before 2.6.26 have.
func (t tree) cpusOrMask(list, mask string) (cpuset.CPUSet, error) {
	if t.exists(list) || !t.exists(mask) {
		return t.cpus(list)
	}
	text, err := t.text(mask)
	if err != nil {
		return cpuset.New(), err
	}
	// "00000000,0000000f": 32 CPUs a word, the lowest last.
	var ids []int
	words := strings.Split(text, ",")
	slices.Reverse(words)
	for i, word := range words {
		bits, err := strconv.ParseUint(strings.TrimSpace(word), 16, 32)
		if err != nil || bits != 0 && i > cpus.MaxID/32 {
			return cpuset.New(), t.unexpected(mask, "a CPU mask such as 00000000,0000000f")
		}
		for bit := range 32 {
			if bits&(1<<bit) != 0 {
				ids = append(ids, 32*i+bit)
			}
		}
	}
	return cpuset.New(ids...), nil
}

func (t tree) number(name string) (int64, error) {
	text, err := t.text(name)
	if err != nil {
		return 0, err
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, t.unexpected(name, "a whole number")
	}
	return number, nil
}

// entry is a subfolder with the number in its name.
type entry struct {
	number int
	path   string
}

// numbered returns the entries of a folder whose whole name matches, by the number in the pattern's first group; none for a
// number of ten digits or more.
func (t tree) numbered(folder string, name *regexp.Regexp) ([]entry, error) {
	if info, err := os.Stat(t.path(folder)); err != nil || !info.IsDir() {
		return nil, nil
	}
	children, err := os.ReadDir(t.path(folder))
	if err != nil {
		return nil, t.unreadable(folder, err)
	}
	var found []entry
	for _, child := range children {
		match := name.FindStringSubmatch(child.Name())
		if match == nil || len(match[1]) >= 10 {
			continue
		}
		if number, err := strconv.Atoi(match[1]); err == nil {
			found = append(found, entry{number, folder + "/" + child.Name()})
		}
	}
	slices.SortFunc(found, func(a, b entry) int { return a.number - b.number })
	return found, nil
}

func (t tree) unexpected(name, expected string) error {
	return fmt.Errorf("%s should hold %s; check the file or read the machine again", t.path(name), expected)
}

package cpus

import (
	"strings"
	"testing"
)

func TestSwappedIsWhatOldRuncMakesOfASet(t *testing.T) {
	// The first three were seen on a node (docs/appendix/measurements.md) or are those of the issue.
	for given, want := range map[string]string{
		"8-11": "0-3", "0-7,12-15": "4-15", "10-13": "2-5", "2-5": "2-5", "": "", "16-23": "0-7", "7-8": "0,15", "64-71,128": "0,64-71",
	} {
		set, err := Parse(given)
		if err != nil {
			t.Fatal(err)
		}
		if got := Swapped(set).String(); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for list, want := range map[string]string{
		"": "", " \n": "", "0": "0", "0-3,8": "0-3,8", "8,0-3\n": "0-3,8", "0,1,2": "0-2", "0-8191": "0-8191", "1, 2": "1-2",
	} {
		set, err := Parse(list)
		if err != nil || set.String() != want {
			t.Errorf("Parse(%q) = %q, %v; want %q", list, set, err, want)
		}
	}
}

func TestParseNamesWhatItDoesNotUnderstand(t *testing.T) {
	for list, want := range map[string]string{
		"a":                          "'a' in 'a' is not a CPU id",
		"0-":                         "'' in '0-' is not a CPU id",
		"0,,1":                       "'' in '0,,1' is not a CPU id",
		"1-2-3":                      "'1-2-3' in '1-2-3' is not a CPU id",
		"3-1":                        "'3-1' in '3-1' runs backwards",
		"8192":                       "write ids from 0 to 8191",
		"0-999999999":                "write ids from 0 to 8191",
		"+1":                         "is not a CPU id",
		"٣":                          "is not a CPU id",
		strings.Repeat("0-8191,", 9): "write each CPU once",
		strings.Repeat("x", 1000):    strings.Repeat("x", 64) + "...'",
	} {
		if _, err := Parse(list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%.20q): %v; want %q", list, err, want)
		}
	}
}

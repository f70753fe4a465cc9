package text

import (
	"strings"
	"testing"
)

func TestQuote(t *testing.T) {
	for foreign, want := range map[string]string{
		"plain": "plain", "a\nb\x1b[0m": "a?b?[0m", "ä": "??", strings.Repeat("x", 65): strings.Repeat("x", 64) + "...",
	} {
		if got := Quote(foreign); got != want {
			t.Errorf("Quote(%q) = %q, want %q", foreign, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for message, want := range map[string]string{
		"plain ä":                 "plain ä",
		"a\r\nb":                  `a\u000d\u000ab`,
		"\x1b[2J":                 `\u001b[2J`,
		"\u202egpj.exe":           `\u202egpj.exe`,
		"\ufeffx\u200b":           `\ufeffx\u200b`,
		"half \xff":               "half ?",
		strings.Repeat("x", 5000): strings.Repeat("x", 4096) + "... (904 bytes more)",
	} {
		if got := Line(message); got != want {
			t.Errorf("Line(%q) = %q, want %q", message, got, want)
		}
	}
}

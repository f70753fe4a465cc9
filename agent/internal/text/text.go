// Package text makes foreign text fit for messages and logs.
package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	longestQuote = 64
	// Our own longest messages have half as many.
	longestLine = 4096
)

// Quote returns foreign text as it may stand in a message: cut after 64 bytes, with ? for what is not printable ASCII.
func Quote(foreign string) string {
	var quoted strings.Builder
	for i := 0; i < len(foreign) && i < longestQuote; i++ {
		if c := foreign[i]; c >= ' ' && c < 127 {
			quoted.WriteByte(c)
		} else {
			quoted.WriteByte('?')
		}
	}
	if len(foreign) > longestQuote {
		quoted.WriteString("...")
	}
	return quoted.String()
}

// Line returns a message of which foreign text is a part as one line: what ends a line, moves a terminal's cursor or turns
// the direction of writing is shown as its code, and what is too long is cut.
func Line(message string) string {
	var line strings.Builder
	rest := message
	for n := 0; rest != "" && n < longestLine; n++ {
		c, size := utf8.DecodeRuneInString(rest)
		switch {
		case c == utf8.RuneError && size == 1:
			line.WriteRune('?')
		case isActive(c):
			fmt.Fprintf(&line, `\u%04x`, c)
		default:
			line.WriteRune(c)
		}
		rest = rest[size:]
	}
	if rest != "" {
		fmt.Fprintf(&line, "... (%d bytes more)", len(rest))
	}
	return line.String()
}

func isActive(c rune) bool {
	return c < ' ' ||
		c >= 0x7F && c < 0xA0 || // delete, and the second half of the control characters
		c == 0x061C ||
		c >= 0x200B && c <= 0x200F || // without width, and marks of direction
		c >= 0x2028 && c <= 0x202E || // ends of line and paragraph, and turns of direction
		c >= 0x2060 && c <= 0x206F ||
		c == 0xFEFF
}

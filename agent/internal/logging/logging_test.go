package logging

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

func environment(level, format string) func(string) string {
	return func(name string) string {
		return map[string]string{"NUMASPARK_LOG_LEVEL": level, "NUMASPARK_LOG_FORMAT": format}[name]
	}
}

func TestText(t *testing.T) {
	var out strings.Builder
	log := New("any", &out, environment("", ""))
	log.Debug("small")
	log.Warn("again in 30 s: täglich")
	log.Error("lost", "error", errors.New("no route"))
	log.With("node", "a").WithGroup("g").Info("started", "pid", 1)
	want := regexp.MustCompile(`^\d{4}-\d\d-\d\dT[0-9:]+\.\d{3}Z WARNING again in 30 s: täglich
\S+Z ERROR lost error=no route
\S+Z INFO started node=a g\.pid=1
$`)
	if !want.MatchString(out.String()) {
		t.Errorf("log is %q", out.String())
	}
}

func TestJSON(t *testing.T) {
	var out strings.Builder
	New("any", &out, environment("warn", "json")).Warn("said \"no\" <&>\n\t\\ to täglich")
	var line map[string]string
	if err := json.Unmarshal([]byte(out.String()), &line); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), `{"time":"`) ||
		!regexp.MustCompile(`^\d{4}-\d\d-\d\dT[0-9:.]+Z$`).MatchString(line["time"]) {
		t.Errorf("time in %s", out.String())
	}
	if len(line) != 4 || line["level"] != "WARN" || line["logger"] != "any" ||
		line["message"] != `said "no" <&>\u000a\u0009\ to täglich` {
		t.Errorf("line is %v", line)
	}
}

// Names of folders, words of servers: whatever is in them, it is the same line.
func TestNobodyForgesALineOrMovesACursor(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var out strings.Builder
		New("any", &out, environment("", format)).Warn(
			"deleted a\n2026-01-01T00:00:00Z ERROR forged\r\x1b[2J\u009b1m\u0085\u2028\u2029\u202e\u2066\u200b",
			"error", errors.New("b\nforged\x7f"))
		line, found := strings.CutSuffix(out.String(), "\n")
		if !found || strings.ContainsFunc(line, func(c rune) bool { return c < ' ' || c > 126 }) {
			t.Errorf("%s: %q", format, line)
		}
		if !strings.Contains(line, "u000a2026-01-01T00:00:00Z ERROR forged") {
			t.Errorf("%s: %q does not show what was in the message", format, line)
		}
	}
}

func TestCutsWhatIsTooLong(t *testing.T) {
	var out strings.Builder
	New("any", &out, environment("", "")).Info(strings.Repeat("x", 5000))
	if out.Len() > 4200 || !strings.HasSuffix(out.String(), "x... (904 bytes more)\n") {
		t.Errorf("%d bytes: %s", out.Len(), out.String())
	}
}

func TestLevel(t *testing.T) {
	for word, least := range map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError, "verbose": slog.LevelInfo,
	} {
		log := New("any", &strings.Builder{}, environment(word, ""))
		for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
			if got := log.Enabled(context.Background(), level); got != (level >= least) {
				t.Errorf("%s: %v is %v", word, level, got)
			}
		}
	}
}

// Package logging writes the agent's log: one line to a message, as text or as a JSON object with the fields of the
// operator's log. It does not rotate or buffer; the container runtime keeps what is written.
package logging

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"numaspark.io/agent/internal/text"
)

// New returns a logger of this name that writes to w. NUMASPARK_LOG_LEVEL is debug, info, warn or error;
// NUMASPARK_LOG_FORMAT is text or json. Any other word means info and text: the chart's schema refuses it before.
//
// Messages may contain foreign text: whatever is in it, a message stays one line (see text.Line).
func New(name string, w io.Writer, getenv func(string) string) *slog.Logger {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn, "error": slog.LevelError}
	return slog.New(&handler{
		name:  name,
		w:     w,
		mutex: &sync.Mutex{},
		least: levels[getenv("NUMASPARK_LOG_LEVEL")], // info is 0
		json:  getenv("NUMASPARK_LOG_FORMAT") == "json",
	})
}

type handler struct {
	name   string
	w      io.Writer
	mutex  *sync.Mutex // of w
	least  slog.Level
	json   bool
	prefix string // of the keys, with a dot at its end
	attrs  string
}

func (h *handler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.least }

func (h *handler) Handle(_ context.Context, record slog.Record) error {
	var message strings.Builder
	message.WriteString(record.Message)
	message.WriteString(h.attrs)
	record.Attrs(func(attr slog.Attr) bool {
		message.WriteString(h.format(attr))
		return true
	})
	line, err := h.line(record, text.Line(message.String()))
	if err != nil {
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	_, err = h.w.Write(line)
	return err
}

func (h *handler) line(record slog.Record, message string) ([]byte, error) {
	time := record.Time.UTC().Format("2006-01-02T15:04:05.000Z")
	if !h.json {
		level := record.Level.String()
		if record.Level == slog.LevelWarn {
			level = "WARNING" // as releases before this one wrote it
		}
		return fmt.Appendf(nil, "%s %s %s\n", time, level, message), nil
	}
	object := struct {
		Time    string `json:"time"`
		Level   string `json:"level"`
		Logger  string `json:"logger"`
		Message string `json:"message"`
	}{time, record.Level.String(), h.name, message}
	var line strings.Builder
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return []byte(line.String()), err
}

func (h *handler) format(attr slog.Attr) string {
	if attr.Equal(slog.Attr{}) {
		return ""
	}
	return fmt.Sprintf(" %s%s=%v", h.prefix, attr.Key, attr.Value.Resolve())
}

func (h *handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	next := *h
	for _, attr := range attrs {
		next.attrs += h.format(attr)
	}
	return &next
}

func (h *handler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	next := *h
	next.prefix += name + "."
	return &next
}

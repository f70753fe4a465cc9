package knob

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"numaspark.io/agent/internal/text"
)

// Settings has the wanted value of each knob that somebody wants something of. A knob that is absent is left alone.
type Settings map[Knob]string

// ParseSettings reads settings as they stand in spec.knobs.settings. Its error names the knob or the value that does not
// exist.
func ParseSettings(values map[string]string) (Settings, error) {
	settings := make(Settings, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		k, ok := Find(name)
		if !ok {
			return nil, fmt.Errorf("'%s' is not a knob: write one of %s", text.Quote(name), strings.Join(names[:], ", "))
		}
		if err := k.Check(values[name]); err != nil {
			return nil, err
		}
		settings[k] = values[name]
	}
	return settings, nil
}

// Knobs returns the knobs that are wanted, in order.
func (s Settings) Knobs() []Knob { return slices.Sorted(maps.Keys(s)) }

// MarshalJSON writes the settings in the order of knobs, which encoding/json would not keep.
func (s Settings) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for i, k := range s.Knobs() {
		if i > 0 {
			out.WriteByte(',')
		}
		value, err := json.Marshal(s[k])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%q:%s", k.String(), value)
	}
	return fmt.Appendf(nil, "{%s}", out.Bytes()), nil
}

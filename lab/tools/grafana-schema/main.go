// Command grafana-schema reads dashboards strictly by the types that Grafana generates from its own schema (the Foundation SDK): a field
// that Grafana does not know, a value of the wrong type or a missing one is a fault. Grafana itself is more patient and ignores
// most of that.
//
// Limit: words of an enumeration, such as a drawStyle, are not compared with those that Grafana knows.
//
// Usage: grafana-schema FILE...
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/grafana/grafana-foundation-sdk/go/gauge"
	"github.com/grafana/grafana-foundation-sdk/go/prometheus"
	"github.com/grafana/grafana-foundation-sdk/go/stat"
	"github.com/grafana/grafana-foundation-sdk/go/timeseries"
)

// The importer of Grafana takes these away; they are not a part of a dashboard.
var ofImport = []string{"__inputs", "__requires"}

func main() {
	runtime := cog.NewRuntime()
	runtime.RegisterPanelcfgVariant(gauge.VariantConfig())
	runtime.RegisterPanelcfgVariant(stat.VariantConfig())
	runtime.RegisterPanelcfgVariant(timeseries.VariantConfig())
	runtime.RegisterDataqueryVariant(prometheus.VariantConfig())

	faults := 0
	for _, file := range os.Args[1:] {
		panels, err := check(file)
		if err != nil {
			faults++
			fmt.Fprintf(os.Stderr, "grafana-schema: %s: %v\n", filepath.Base(file), err)
			continue
		}
		fmt.Printf("grafana-schema: %s: %d panels and rows are as in Grafana's schema\n", filepath.Base(file), panels)
	}
	if faults > 0 {
		os.Exit(1)
	}
}

// check returns the number of panels and rows.
func check(file string) (int, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return 0, err
	}
	for _, name := range ofImport {
		delete(fields, name)
	}
	if text, err = json.Marshal(fields); err != nil {
		return 0, err
	}
	var read dashboard.Dashboard
	if err := read.UnmarshalJSONStrict(text); err != nil {
		return 0, err
	}
	return len(read.Panels), read.Validate()
}

package main

import (
	"fmt"
	"io"
	"slices"
)

const (
	warmUpShare    = 3 // a third of the measurements is not judged: caches fill, and classes are loaded
	fewestJudged   = 4
	shownOfSamples = 40
)

// quantity is something that has to be flat.
type quantity struct {
	name  string
	unit  string
	of    func(Sample) float64
	bound float64 // growth from the first to the last judged measurement, however far they are apart
}

const mebibyte = 1 << 20

var quantities = []quantity{
	{"heap after collection", "MiB", func(s Sample) float64 { return float64(s.Heap) / mebibyte }, 1},
	{"threads", "", func(s Sample) float64 { return float64(s.Threads) }, 4},
	{"file descriptors", "", func(s Sample) float64 { return float64(s.Descriptors) }, 6},
	{"metric series", "", func(s Sample) float64 { return float64(s.Series) }, 5},
	{"objects", "", func(s Sample) float64 { return float64(s.Objects) }, 1},
	{"RSS", "MiB", func(s Sample) float64 { return float64(s.RSS) / mebibyte }, 24},
}

// Trend is how a quantity went over the judged measurements.
type Trend struct {
	Name   string  `json:"quantity"`
	Unit   string  `json:"unit,omitempty"`
	First  float64 `json:"first"` // the median of the first third of what is judged
	Last   float64 `json:"last"`  // and of the last
	Growth float64 `json:"growth"`
	Bound  float64 `json:"bound"`
	Grows  bool    `json:"grows"`
}

// trends leaves out the warm-up. Growth is the Theil-Sen slope, the median of the slopes between all pairs, times the time that is
// judged: a single high or low measurement does not move it.
func trends(samples []Sample) []Trend {
	judged := samples[len(samples)/warmUpShare:]
	if len(judged) < fewestJudged {
		return nil
	}
	var found []Trend
	third := len(judged) / 3
	for _, quantity := range quantities {
		values := make([]float64, len(judged))
		for i, sample := range judged {
			values[i] = quantity.of(sample)
		}
		trend := Trend{
			Name: quantity.name, Unit: quantity.unit, Bound: quantity.bound, Growth: growth(judged, values),
			First: median(values[:max(1, third)]), Last: median(values[len(values)-max(1, third):]),
		}
		trend.Grows = trend.Growth > trend.Bound
		found = append(found, trend)
	}
	return found
}

func growth(samples []Sample, values []float64) float64 {
	var slopes []float64
	for i := range samples {
		for j := i + 1; j < len(samples); j++ {
			if minutes := samples[j].Minutes - samples[i].Minutes; minutes > 0 {
				slopes = append(slopes, (values[j]-values[i])/minutes)
			}
		}
	}
	if len(slopes) == 0 {
		return 0
	}
	return median(slopes) * (samples[len(samples)-1].Minutes - samples[0].Minutes)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// SoakReport is the result of a soak.
type SoakReport struct {
	Scenario      SoakScenario   `json:"scenario"`
	Seconds       float64        `json:"seconds"`
	Applications  int            `json:"applications"`
	Judged        int            `json:"applicationsJudged"`
	Samples       []Sample       `json:"samples"`
	Trends        []Trend        `json:"trends"` // empty: too few measurements
	Violations    []Violation    `json:"violations"`
	OperatorReady int            `json:"operatorBecameReady"`
	LogLevels     map[string]int `json:"operatorLogLines"`
	LoadBefore    string         `json:"loadavgBefore"`
	LoadAfter     string         `json:"loadavgAfter"`
}

func (r SoakReport) failed() bool {
	grows := func(trend Trend) bool { return trend.Grows }
	return len(r.Trends) == 0 || slices.ContainsFunc(r.Trends, grows) || len(r.Violations) > 0 || r.OperatorReady > 1
}

func (r SoakReport) print(out io.Writer) {
	for _, sample := range r.Samples[max(0, len(r.Samples)-shownOfSamples):] {
		sample.note(out)
	}
	fmt.Fprintf(out, "%-22s %12s %12s %12s %10s\n", "quantity", "first", "last", "growth", "bound")
	for _, trend := range r.Trends {
		verdict := ""
		if trend.Grows {
			verdict = "  GROWS"
		}
		fmt.Fprintf(out, "%-22s %12.2f %12.2f %+12.2f %10.2f %s%s\n", trend.Name, trend.First, trend.Last, trend.Growth, trend.Bound, trend.Unit, verdict)
	}
	fmt.Fprintf(out, "%d applications in %.0f s; the operator became ready %d times; load average before %s, after %s\n",
		r.Applications, r.Seconds, r.OperatorReady, r.LoadBefore, r.LoadAfter)
	if len(r.Trends) == 0 {
		fmt.Fprintf(out, "NOT JUDGED: %d measurements are too few; give it more hours\n", len(r.Samples))
	}
	if r.OperatorReady > 1 {
		fmt.Fprintln(out, "VIOLATION dead: the operator was started again, and what it had kept was gone")
	}
	for _, violation := range r.Violations[:min(len(r.Violations), shownOfSamples)] {
		fmt.Fprintf(out, "VIOLATION %s: %s\n", violation.Kind, violation.What)
	}
}

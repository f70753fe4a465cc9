package kubelet

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"numaspark.io/agent/internal/api"
)

// The command line, which reads configuration files in Java, is held to the same cases.
func TestSettings(t *testing.T) {
	text, err := os.ReadFile("../../../operator/render/src/test/resources/kubelet-configurations.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name    string
		Config  json.RawMessage
		Spec    *api.Kubelet
		Refused string
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) < 20 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		got, err := Settings(c.Config)
		if c.Spec != nil {
			if err != nil || !reflect.DeepEqual(got, c.Spec) {
				t.Errorf("%s: %+v, %v", c.Name, got, err)
			}
		} else if err == nil || !strings.HasPrefix(err.Error(), c.Refused) {
			t.Errorf("%s: %v, want %s", c.Name, err, c.Refused)
		}
	}
}

func FuzzSettings(f *testing.F) {
	for _, value := range []string{"null", "true", "-7", "1e400", `""`, `"static"`, `"0-3"`, "[]", `[null, 3, "x"]`, "{}", `{"cpu": null}`,
		`{"cpu": [1]}`, `{"cpu": "1e-999999999"}`, `[{"numaNode": null, "limits": {"memory": "1Gi"}}]`, `[{"numaNode": 1e9, "limits": []}]`,
		`[{"limits": {"memory": {}, "hugepages-": 1}}]`} {
		for _, field := range []string{"cpuManagerPolicy", "cpuManagerPolicyOptions", "reservedSystemCPUs", "kubeReserved", "reservedMemory"} {
			f.Add(`{"kind": "KubeletConfiguration", "` + field + `": ` + value + "}")
		}
	}
	f.Fuzz(func(t *testing.T, config string) {
		if settings, err := Settings(json.RawMessage(config)); err == nil && settings.CPUManagerPolicy == "" {
			t.Errorf("%+v", settings)
		}
	})
}

func TestAsksAgainWhenTheKubeletHasStartedAgain(t *testing.T) {
	s := startConfigz(t)
	s.body = `{"kubeletconfig": {"kind": "KubeletConfiguration", "cpuManagerPolicy": "static"}}`
	socket := s.TokenFile + ".sock"
	writeFile(t, socket, "")
	source := NewSettingsSource(s.Configz, socket)
	now := time.Unix(0, 0)
	asked := func(after time.Duration) bool {
		before := len(s.seen)
		now = now.Add(after)
		if settings, _, err := source.Read(t.Context(), now); err == nil && settings.CPUManagerPolicy != "static" {
			t.Errorf("%+v", settings)
		}
		return len(s.seen) > before
	}
	if !asked(0) || asked(29*time.Minute) || !asked(time.Minute) {
		t.Error("not every half an hour")
	}
	if err := os.Chtimes(socket, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if !asked(time.Second) {
		t.Error("not after a start")
	}
}

func TestAsksLessAndLessOftenWhileTheKubeletRefuses(t *testing.T) {
	s := startConfigz(t)
	s.status = 403
	source := NewSettingsSource(s.Configz, s.TokenFile)
	now := time.Unix(0, 0)
	var asked []int
	for i := 0; i < 1000; i++ {
		before := len(s.seen)
		if _, reason, err := source.Read(t.Context(), now); reason != "KubeletForbidden" || err == nil {
			t.Fatal(reason, err)
		}
		if len(s.seen) > before {
			asked = append(asked, i)
		}
		now = now.Add(time.Second)
	}
	if want := []int{0, 10, 30, 70, 150, 310, 630}; !reflect.DeepEqual(asked, want) {
		t.Errorf("%v", asked)
	}
	s.status, s.body = 200, `{"kubeletconfig": {"kind": "Pod"}}`
	if _, reason, err := source.Read(t.Context(), now.Add(time.Hour)); reason != ReasonNotUnderstood ||
		err.Error() != "the kubelet's /configz: is not a KubeletConfiguration" {
		t.Error(reason, err)
	}
}

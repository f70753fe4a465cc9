package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func get(t *testing.T, url string) (int, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return len(body), err
}

func TestLogsAreLongOrSlowInTurn(t *testing.T) {
	kubelet := &KubeletLogs{}
	server := httptest.NewServer(kubelet)
	defer server.Close()
	log := server.URL + "/containerLogs/ns/app-driver/spark-kubernetes-driver?tailLines=300"
	if size, err := get(t, log+"&limitBytes=1000"); size != 1000 || err != nil {
		t.Errorf("%d bytes, %v", size, err)
	}
	if size, err := get(t, log); size > 1 || err == nil {
		t.Errorf("%d bytes of a log that trickles, %v", size, err)
	}
	if size, err := get(t, log); size != logLineSize || err != nil {
		t.Errorf("%d bytes, %v", size, err)
	}
	if kubelet.lines.Load() != 2 || kubelet.drips.Load() != 1 {
		t.Errorf("%d long, %d slow", kubelet.lines.Load(), kubelet.drips.Load())
	}
}

func TestSeveralFaultsAreWantedByName(t *testing.T) {
	for only, want := range map[string]int{"": len(faults), "node lost": 1, "drivers that,half-sent": 3, "no such": 0} {
		count := 0
		for _, fault := range faults {
			if (FaultScenario{only: only}).wants(fault) {
				count++
			}
		}
		if count != want {
			t.Errorf("%q: %d faults", only, count)
		}
	}
}

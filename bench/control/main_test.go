package main

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

func TestEveryTargetIsReadAndRecognisesItsEnd(t *testing.T) {
	files, _ := filepath.Glob("targets/*.yaml")
	if len(files) < 3 {
		t.Fatalf("only %v", files)
	}
	for _, file := range files {
		target, err := readTarget(file)
		if err != nil {
			t.Fatal(err)
		}
		application := target.application("ns", "a")
		if ended, _ := target.ended(application); ended {
			t.Errorf("%s: a new application has ended", file)
		}
		object := map[string]any{}
		innermost := object
		for _, key := range target.State[:len(target.State)-1] {
			next := map[string]any{}
			innermost[key] = next
			innermost = next
		}
		innermost[target.State[len(target.State)-1]] = target.Succeeded[0]
		application.Object["status"] = object["status"]
		if ended, well := target.ended(application); !ended || !well {
			t.Errorf("%s: %v is not a good end", file, object)
		}
		if target.Manifest["metadata"] != nil {
			t.Errorf("%s: the manifest is shared by all applications and must stay as it is", file)
		}
	}
}

func TestProperties(t *testing.T) {
	got := parseProperties("# comment=no\nspark.app.id=x\nspark.kubernetes.executor.label.numaspark.io/application=a=b\n\nnothing\n")
	want := map[string]string{"spark.app.id": "x", "spark.kubernetes.executor.label.numaspark.io/application": "a=b"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestPercentilesByNearestRank(t *testing.T) {
	values := make([]time.Duration, 0, 200)
	for i := 200; i > 0; i-- {
		values = append(values, time.Duration(i)*time.Second)
	}
	if got := latency(values); got != (Latency{Count: 200, P50: 100, P99: 198, Max: 200}) {
		t.Errorf("%+v", got)
	}
	if got := latency([]time.Duration{-time.Second}); got != (Latency{Count: 1}) {
		t.Errorf("a status that came before the pod's event: %+v", got)
	}
}

func TestEachApplicationIsJudged(t *testing.T) {
	journal := newJournal(3)
	name := func(s string) types.NamespacedName { return types.NamespacedName{Namespace: "ns", Name: s} }
	for _, s := range []string{"well", "doubled", "lost"} {
		journal.applied(name(s))
	}
	journal.driverSeen(name("well"), "1")
	journal.driverSeen(name("well"), "1")
	journal.driverEnded(name("well"))
	journal.ended(name("well"), true)
	journal.driverSeen(name("doubled"), "2")
	journal.driverSeen(name("doubled"), "3")
	journal.ended(name("doubled"), false)
	journal.driverSeen(name("of another run"), "4")
	report := newReport(Scenario{Applications: 3}, Target{}, journal, time.Minute, Machine{})
	if report.Succeeded != 1 || report.Failed != 1 || report.Unfinished != 1 || report.NoDriver != 1 || report.Doubled != 1 {
		t.Errorf("%+v", report)
	}
	if report.Errors() != 4 || report.PerMinute != 1 {
		t.Errorf("%d errors, %f a minute", report.Errors(), report.PerMinute)
	}
}

func TestProcessList(t *testing.T) {
	got, err := parseProcesses("operator=12,etcd=7")
	if err != nil || !reflect.DeepEqual(got, []Process{{"operator", 12}, {"etcd", 7}}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"operator", "operator=", "operator=-1"} {
		if _, err := parseProcesses(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

package pinning

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"k8s.io/utils/cpuset"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/cgroup"
)

const (
	uid      = "0b5aabb1-1c2d-4e3f-8091-a2b3c4d5e6f7"
	otherUID = "11111111-2222-3333-4444-555555555555"
	thirdUID = "99999999-2222-3333-4444-555555555555"
)

// node has two NUMA nodes of 16 CPUs each; CPUs 0 and 16 are reserved.
var node = NodeCPUs{
	Online:      parse("0-31"),
	Allocatable: parse("1-15,17-31"),
	ByNode:      map[int]cpuset.CPUSet{0: parse("0-15"), 1: parse("16-31")},
}

func parse(list string) cpuset.CPUSet {
	set, err := cpuset.Parse(list)
	if err != nil {
		panic(err)
	}
	return set
}

func given(pod, cpus string) Given {
	return Given{Namespace: "spark", Pod: pod, Container: "main", CPUs: parse(cpus), MemoryNodes: cpuset.New()}
}

func id(number int) string { return fmt.Sprintf("%064x", 0xabcdef00+number) }

func running(uid string, number int, cpus string) cgroup.Container {
	return counting(uid, number, cpus, 0, 0)
}

func counting(uid string, number int, cpus string, periods, throttled int64) cgroup.Container {
	return cgroup.Container{PodUID: uid, ID: id(number), CPUs: parse(cpus), Usage: &cgroup.Usage{
		CPUs: parse(cpus), MemoryNodes: parse("0-1"), AnonBytes: map[int]int64{0: 3 << 20, 1: 1 << 20},
		Quota: &cgroup.QuotaCounters{Periods: periods, Throttled: throttled},
	}}
}

// clock gives readings that are far enough apart that a contradiction in two of them is one.
type clock struct{ now time.Time }

func (c *clock) later() time.Time {
	c.now = c.now.Add(doubt)
	return c.now
}

func readings(count int, given []Given, running []cgroup.Container) (proof Proof) {
	var c clock
	for range count {
		proof = proof.Next(node, given, running, c.later())
	}
	return proof
}

// lines have pod, kubelet's CPUs, number of the container, kernel's CPUs: what a reader looks at first.
func lines(proof Proof) []string {
	lines := []string{}
	for _, entry := range proof.Exclusive() {
		container := ""
		if entry.ContainerID != "" {
			number, _ := strconv.ParseInt(entry.ContainerID, 16, 64)
			container = fmt.Sprint(number - 0xabcdef00)
		}
		or := func(text string) string {
			if text == "" {
				return "-"
			}
			return text
		}
		lines = append(lines, or(entry.Pod)+" "+or(entry.CPUs)+" "+or(container)+" "+or(entry.KernelCPUs))
	}
	return lines
}

func TestAContradictionCountsOnlyAfterItHasLasted(t *testing.T) {
	list := []Given{given("a", "1-3")}
	start := time.Unix(0, 0)
	soon := Proof{}.Next(node, list, nil, start).Next(node, list, nil, start.Add(2*time.Second))
	if got := lines(soon); len(got) != 0 {
		t.Error(got)
	}
	if got := lines(soon.Next(node, list, nil, start.Add(doubt))); !slices.Equal(got, []string{"a 1-3 - -"}) {
		t.Error(got)
	}
}

func TestJoins(t *testing.T) {
	type list = []string
	for _, c := range []struct {
		name          string
		given         []Given
		running       []cgroup.Container
		first, second []string
	}{
		{"nothing at all", nil, nil, list{}, list{}},
		{"two pinned containers and the pool",
			[]Given{given("b", "1-3"), given("a", "17-19")},
			[]cgroup.Container{running(uid, 1, "17-19"), running(otherUID, 2, "1-3"), running(thirdUID, 3, "0,4-16,20-31"),
				running(thirdUID, 4, "")},
			list{"a 17-19 1 17-19", "b 1-3 2 1-3"}, list{"a 17-19 1 17-19", "b 1-3 2 1-3"}},
		{"a pool without the reserved CPUs (strict-cpu-reservation)",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1-3"), running(thirdUID, 2, "4-15,17-31")},
			list{"a 1-3 1 1-3"}, list{"a 1-3 1 1-3"}},
		{"a container that does not run yet, or is gone",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(thirdUID, 2, "0,4-31")}, list{}, list{"a 1-3 - -"}},
		{"a pod that the kubelet did not know yet",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1-3"), running(otherUID, 2, "4-5")},
			list{"a 1-3 1 1-3"}, list{"a 1-3 1 1-3", "- - 2 4-5"}},
		{"CPUs that somebody else has set",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1-6"), running(thirdUID, 2, "0,4-31")},
			list{}, list{"a 1-3 1 1-6"}},
		{"CPUs that somebody else has set to others",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "8-9"), running(thirdUID, 2, "0,4-31")},
			list{}, list{"a 1-3 - -", "- - 1 8-9"}},
		{"an init container with some of the CPUs of the container that follows",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1"), running(thirdUID, 2, "0,4-31")},
			list{"a 1-3 1 1"}, list{"a 1-3 1 1"}},
		{"an init container with all of them",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1-3"), running(uid, 2, "1-3")},
			list{"a 1-3 1 1-3"}, list{"a 1-3 1 1-3"}},
		{"an init container with others, which the pool lacks too",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "8-9"), running(thirdUID, 2, "0,4-7,10-31")},
			list{}, list{"a 1-3 - -"}},
		{"an old pool, before the kubelet's next reconciliation",
			[]Given{given("a", "1-3")},
			[]cgroup.Container{running(uid, 1, "1-3"), running(thirdUID, 2, "0-31"), running(thirdUID, 3, "0,4-31")},
			list{"a 1-3 1 1-3"}, list{"a 1-3 1 1-3", "- - 2 0-31"}},
		{"one set that two containers were given",
			[]Given{given("a", "1-3"), given("b", "1-3")}, []cgroup.Container{running(uid, 1, "1-3"), running(otherUID, 2, "1-3")},
			list{}, list{"a 1-3 - -", "b 1-3 - -", "- - 1 1-3", "- - 2 1-3"}},
		{"one set that two pods have",
			[]Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1-3"), running(otherUID, 2, "1-3")},
			list{}, list{"a 1-3 - -", "- - 1 1-3", "- - 2 1-3"}},
		{"moved by an old runc and a reload of systemd",
			[]Given{given("a", "8-11"), given("b", "2-5")},
			[]cgroup.Container{running(uid, 1, "0-3"), running(otherUID, 2, "2-5")},
			list{"b 2-5 2 2-5"}, list{"a 8-11 1 0-3", "b 2-5 2 2-5"}},
		{"two that were moved to one set, and nobody knows which is whose",
			[]Given{given("a", "8-11"), given("b", "24-27"), given("c", "0-3")},
			[]cgroup.Container{running(uid, 1, "0-3"), running(otherUID, 2, "0-3"), running(thirdUID, 3, "0-3")},
			list{"c 0-3 - 0-3"}, list{"a 8-11 - 0-3", "b 24-27 - 0-3", "c 0-3 - 0-3"}},
		{"one more than was moved",
			[]Given{given("a", "8-11")},
			[]cgroup.Container{running(uid, 1, "0-3"), running(otherUID, 2, "0-3")},
			list{}, list{"a 8-11 - -", "- - 1 0-3", "- - 2 0-3"}},
		{"memory of its own, but no CPUs",
			[]Given{{Namespace: "spark", Pod: "a", Container: "main", CPUs: cpuset.New(), MemoryNodes: parse("0")}},
			[]cgroup.Container{running(uid, 1, "0-31")}, list{"a - - -"}, list{"a - - -"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := lines(readings(1, c.given, c.running)); !slices.Equal(got, c.first) {
				t.Errorf("first: %q", got)
			}
			if got := lines(readings(2, c.given, c.running)); !slices.Equal(got, c.second) {
				t.Errorf("second: %q", got)
			}
			if !reflect.DeepEqual(readings(3, c.given, c.running).Exclusive(), readings(2, c.given, c.running).Exclusive()) {
				t.Error("the third differs from the second")
			}
		})
	}
}

// What the runtime gives has ids, and all others are judged by what the kernel lets them use.
func TestJoinsWhatTheRuntimeHasGiven(t *testing.T) {
	byRuntime := node
	byRuntime.Shared = parse("0,4-31")
	one := given("a", "1-3")
	one.PodUID, one.ContainerID = uid, id(1)
	may := func(pod string, number int, told, effective string) cgroup.Container {
		c := running(pod, number, effective)
		c.CPUs = parse(told)
		return c
	}
	quiet := func(pod string, number int, told string) cgroup.Container {
		return cgroup.Container{PodUID: pod, ID: id(number), CPUs: parse(told)}
	}
	for _, c := range []struct {
		name    string
		given   []Given
		running []cgroup.Container
		want    []string
	}{
		{"alone", []Given{one}, []cgroup.Container{running(uid, 1, "1-3"), quiet(otherUID, 2, "0,4-31")}, []string{"a 1-3 1 1-3"}},
		{"another pod that was told nothing", []Given{one}, []cgroup.Container{running(uid, 1, "1-3"), may(otherUID, 2, "", "0-31")},
			[]string{"a 1-3 1 1-3", "- - 2 0-31"}},
		{"another container of the pod", []Given{one}, []cgroup.Container{running(uid, 1, "1-3"), may(uid, 2, "", "0-31")},
			[]string{"a 1-3 1 1-3"}},
		{"shared CPUs that meet those of an earlier layout", []Given{one},
			[]cgroup.Container{running(uid, 1, "1-3"), may(otherUID, 2, "0,4-31", "0,3-31")}, []string{"a 1-3 1 1-3", "- - 2 0,3-31"}},
		{"it has the shared CPUs instead", []Given{one}, []cgroup.Container{may(uid, 1, "0,4-31", "0,4-31")}, []string{"a 1-3 1 0,4-31"}},
		{"the same CPUs given twice", []Given{one, func() Given { two := given("b", "1-3"); two.PodUID, two.ContainerID = otherUID, id(2); return two }()},
			[]cgroup.Container{running(uid, 1, "1-3"), running(otherUID, 2, "1-3")}, []string{"a 1-3 1 1-3", "b 1-3 2 1-3"}},
		{"CPUs of its own that nobody gave", nil, []cgroup.Container{running(uid, 1, "8-9")}, []string{"- - 1 8-9"}},
		{"it has ended", []Given{one}, nil, []string{"a 1-3 - -"}},
	} {
		var now clock
		proof := Proof{}.Next(byRuntime, c.given, c.running, now.later()).Next(byRuntime, c.given, c.running, now.later())
		if got := lines(proof); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestSaysEverythingOfAPinnedContainer(t *testing.T) {
	var c clock
	list := []Given{{Namespace: "spark", Pod: "pi-exec-1", Container: "main", CPUs: parse("1-3"), MemoryNodes: parse("0")}}
	proof := Proof{}.
		Next(node, list, []cgroup.Container{counting(uid, 1, "1-3", 1000, 50)}, c.later()).
		Next(node, list, []cgroup.Container{counting(uid, 1, "1-3", 1200, 100)}, c.later())
	local, throttled := 75, 25
	want := []api.Exclusive{{Namespace: "spark", Pod: "pi-exec-1", Container: "main", PodUID: uid, ContainerID: id(1), CPUs: "1-3",
		MemoryNodes: "0", KernelCPUs: "1-3", KernelMemoryNodes: "0-1", LocalMemoryPercent: &local, ThrottledPercent: &throttled}}
	if got := proof.Exclusive(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestCountsLocalMemory(t *testing.T) {
	for _, c := range []struct {
		name         string
		cpus         string
		node0, node1 int64
		want         string
	}{
		{"all on its own node", "1-3", 4194304, 0, "100"},
		{"one page on another", "1-3", 4190208, 4096, "99"},
		{"all on another", "1-3", 0, 4194304, "0"},
		{"CPUs of two nodes", "15-16", 4194304, 4194304, "100"},
		{"less than 1 MiB", "1-3", 1048575, 0, "-"},
		{"exactly 1 MiB", "1-3", 1048576, 0, "100"},
	} {
		container := running(uid, 1, c.cpus)
		container.Usage.AnonBytes = map[int]int64{0: c.node0, 1: c.node1}
		proof := readings(1, []Given{given("a", c.cpus)}, []cgroup.Container{container})
		if got := show(proof.Exclusive()[0].LocalMemoryPercent); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func show(percent *int) string {
	if percent == nil {
		return "-"
	}
	return strconv.Itoa(*percent)
}

type throttling struct {
	clock
	t *testing.T
}

func (c *throttling) next(proof Proof, container int, periods, throttled int64, want string) Proof {
	c.t.Helper()
	next := proof.Next(node, []Given{given("a", "1-3")},
		[]cgroup.Container{counting(uid, container, "1-3", periods, throttled)}, c.later())
	if got := show(next.Exclusive()[0].ThrottledPercent); got != want {
		c.t.Errorf("%d periods, %d throttled: %s, want %s", periods, throttled, got, want)
	}
	return next
}

func TestCountsThrottlingSinceTheLastWrite(t *testing.T) {
	c := throttling{t: t}
	proof := c.next(Proof{}, 1, 1000, 900, "-")
	proof = c.next(proof, 1, 1100, 910, "10")
	proof = c.next(proof, 1, 1200, 960, "30")
	proof = c.next(proof.Written(), 1, 1300, 960, "0")
	c.next(proof.Written(), 1, 1300, 960, "0")
}

func TestAnotherContainerStartsItsOwnCounters(t *testing.T) {
	c := throttling{t: t}
	restarted := c.next(c.next(Proof{}, 1, 1000, 0, "-"), 2, 10, 10, "-")
	c.next(restarted, 2, 20, 20, "100")
	c.next(restarted, 1, 1000, 0, "-")
}

func TestCountersThatRunBackwardsGiveNoPercentage(t *testing.T) {
	c := throttling{t: t}
	first := c.next(Proof{}, 1, 1000, 100, "-")
	c.next(first, 1, 900, 100, "-")
	c.next(first, 1, 1100, 50, "-")
	c.next(first, 1, 1001, 102, "-")
}

func expectLines(t *testing.T, proof Proof, want ...string) {
	t.Helper()
	if got := lines(proof); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAContainerThatRestartsStaysUntilTwoReadingsMissIt(t *testing.T) {
	var c clock
	list := []Given{given("a", "1-3")}
	pinned := Proof{}.Next(node, list, []cgroup.Container{running(uid, 1, "1-3")}, c.later())
	missedOnce := pinned.Next(node, list, nil, c.later())
	expectLines(t, missedOnce, "a 1-3 1 1-3")
	expectLines(t, missedOnce.Next(node, list, nil, c.later()), "a 1-3 - -")
	expectLines(t, missedOnce.Next(node, list, []cgroup.Container{running(uid, 2, "1-3")}, c.later()), "a 1-3 2 1-3")
}

func TestAPodThatTheKubeletNoLongerListsIsGoneAtOnce(t *testing.T) {
	var c clock
	there := []cgroup.Container{running(uid, 1, "1-3")}
	pinned := Proof{}.Next(node, []Given{given("a", "1-3")}, there, c.later())
	expectLines(t, pinned.Next(node, nil, nil, c.later()))
	expectLines(t, pinned.Next(node, nil, there, c.later()))
	// Nor does a pod of the same name with other CPUs inherit anything.
	expectLines(t, pinned.Next(node, []Given{given("a", "4-6")}, nil, c.later()))
}

func TestContradictionsThatDifferFromReadingToReadingAreNotReported(t *testing.T) {
	var c clock
	list := []Given{given("a", "1-3")}
	proof := Proof{}.Next(node, list, []cgroup.Container{running(uid, 1, "1-4")}, c.later())
	proof = proof.Next(node, list, []cgroup.Container{running(uid, 1, "1-5")}, c.later())
	expectLines(t, proof)
	expectLines(t, proof.Next(node, list, []cgroup.Container{running(uid, 1, "1-5")}, c.later()), "a 1-3 1 1-5")
}

func TestKeepsNoMoreThanTheStatusMayHave(t *testing.T) {
	var list []Given
	for i := range most + 5 {
		list = append(list, given(fmt.Sprintf("pod-%04d", i), strconv.Itoa(i)))
	}
	proof := readings(2, list, nil)
	if got := proof.Exclusive(); len(got) != most || got[most-1].Pod != "pod-1023" || proof.Omitted() != 5 {
		t.Errorf("%d, %s, %d", len(got), got[len(got)-1].Pod, proof.Omitted())
	}
	if omitted := readings(1, nil, nil).Omitted(); omitted != 0 {
		t.Error(omitted)
	}
}

type fakeKubelet struct{ err error }

func (k fakeKubelet) AllocatableCPUs(context.Context) (cpuset.CPUSet, error) {
	return node.Allocatable, k.err
}

func (k fakeKubelet) List(context.Context) ([]Given, error) { return nil, nil }

func TestClaimsNothingIfOneOfThemCannotBeAsked(t *testing.T) {
	down := errors.New("down")
	looker := NewLooker(fakeKubelet{down}, t.TempDir(), false)
	looker.proof = readings(1, []Given{given("a", "1-3")}, []cgroup.Container{running(uid, 1, "1-3")})
	if _, err := looker.Look(t.Context(), node, time.Unix(0, 0)); !errors.Is(err, down) {
		t.Error(err)
	}
	expectLines(t, looker.proof)
	looker.giver = fakeKubelet{}
	var unavailable *cgroup.Error
	if _, err := looker.Look(t.Context(), node, time.Unix(0, 0)); !errors.As(err, &unavailable) ||
		unavailable.Reason != cgroup.NotMounted {
		t.Error(err)
	}
}

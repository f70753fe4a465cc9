package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/klog/v2"
)

// SoakScenario is what a soak does.
type SoakScenario struct {
	Hours      float64       `json:"hours"`
	Rate       float64       `json:"applicationsPerSecond"`
	Namespaces int           `json:"namespaces"`
	Nodes      int           `json:"nodes"`
	Cycle      time.Duration `json:"cycleNanoseconds"` // from one measurement to the next, without the time until all is gone
	Patience   int           `json:"patience"`
}

const (
	soakExecutors = 1
	soakPoolSize  = 2
	cyclesWanted  = 12
	shortestCycle = 30 * time.Second
	longestCycle  = 5 * time.Minute
)

// cycleOf divides the time so that there are enough measurements to judge, however long it is.
func cycleOf(hours float64) time.Duration {
	share := time.Duration(hours * float64(time.Hour) / cyclesWanted)
	return min(max(share, shortestCycle), longestCycle)
}

// SoakRun is a soak on its way. What it does to applications is judged as in a fault run.
type SoakRun struct {
	*FaultRun
	soak     SoakScenario
	sampler  Sampler
	samples  []Sample
	created  int
	judged   int
	deadline time.Time
}

// soakMain is the command `bench-control soak`.
func soakMain(arguments []string) (bool, error) {
	scenario := SoakScenario{}
	flags := flag.NewFlagSet("soak", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", os.Getenv("KUBECONFIG"), "how to reach the API server")
	targetFile := flags.String("target", "", "target file of numaspark")
	requests := flags.String("requests", "", "pipe for commands to soak.sh")
	replies := flags.String("replies", "", "pipe for its answers")
	logs := flags.String("logs", "", "the logs of the operator's replicas, with commas between them")
	pidFile := flags.String("pid-file", "", "file with the operator's process id")
	output := flags.String("json", "", "file for the results; none if empty")
	flags.Float64Var(&scenario.Hours, "hours", 1, "how long it lasts; 0.1 is six minutes")
	flags.Float64Var(&scenario.Rate, "rate", 1.5, "applications a second")
	flags.IntVar(&scenario.Namespaces, "namespaces", 4, "namespaces to spread the applications over")
	flags.IntVar(&scenario.Nodes, "nodes", 5, "simulated nodes that stay")
	flags.IntVar(&scenario.Patience, "patience", 1, "factor of all bounds of time, for slow machines")
	if err := flags.Parse(arguments); err != nil {
		return false, err
	}
	if scenario.Hours <= 0 || scenario.Rate <= 0 || scenario.Namespaces < 1 || scenario.Nodes < 1 || scenario.Patience < 1 {
		return false, errors.New("-hours and -rate must be above 0, -namespaces, -nodes and -patience at least 1")
	}
	scenario.Cycle = cycleOf(scenario.Hours)
	klog.SetLogger(logr.Discard())
	config, cluster, err := connect(*kubeconfig, *targetFile)
	if err != nil {
		return false, err
	}
	objects, err := metadata.NewForConfig(config)
	if err != nil {
		return false, err
	}
	asking, err := os.OpenFile(*requests, os.O_WRONLY, 0)
	if err != nil {
		return false, err
	}
	defer asking.Close()
	answers, err := os.Open(*replies)
	if err != nil {
		return false, err
	}
	defer answers.Close()
	faults := &FaultRun{
		scenario: FaultScenario{Namespaces: scenario.Namespaces, Executors: soakExecutors, Nodes: scenario.Nodes, Patience: scenario.Patience},
		cluster:  cluster, ledger: newLedger(cluster.target), shell: Shell{asking, bufio.NewReader(answers)},
		closed: map[string]bool{}, pidFile: *pidFile,
	}
	run := &SoakRun{FaultRun: faults, soak: scenario, sampler: Sampler{faults, objects}}
	report, err := run.run(strings.Split(*logs, ","))
	if err != nil {
		return false, err
	}
	report.print(os.Stdout)
	return report.failed(), writeJSON(*output, report)
}

func (r *SoakRun) run(logs []string) (SoakReport, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	start, loadBefore := time.Now(), loadAverage()
	r.deadline = start.Add(time.Duration(r.soak.Hours * float64(time.Hour)))
	if err := r.cluster.prepare(ctx, Scenario{Nodes: r.soak.Nodes, Namespaces: r.soak.Namespaces}); err != nil {
		return SoakReport{}, err
	}
	if err := r.watch(ctx); err != nil {
		return SoakReport{}, err
	}
	go r.player.play(ctx)
	for cycle := 0; cycle == 0 || time.Now().Before(r.deadline); cycle++ {
		if err := r.cycle(ctx, cycle); err != nil {
			return SoakReport{}, fmt.Errorf("cycle %d: %w", cycle, err)
		}
		sample, err := r.sampler.sample(ctx)
		if err != nil {
			return SoakReport{}, err
		}
		sample.Minutes, sample.Applications = time.Since(start).Minutes(), r.created
		r.samples = append(r.samples, sample)
		sample.note(os.Stderr)
	}
	lines, err := readLogs(logs)
	if err != nil {
		return SoakReport{}, err
	}
	return SoakReport{
		Scenario: r.soak, Seconds: time.Since(start).Seconds(), Applications: r.created, Judged: r.judged, Samples: r.samples,
		Trends: trends(r.samples), Violations: append(r.violations, lines.violations...), OperatorReady: lines.ready, LogLevels: lines.levels,
		LoadBefore: loadBefore, LoadAfter: loadAverage(),
	}, nil
}

// cycle has everything come and go for a while, judges what became of it, and waits until nothing of it is left.
func (r *SoakRun) cycle(ctx context.Context, number int) error {
	// Names of their own: what is kept by name would be found again under an old one, and not grow.
	pool := newPool(fmt.Sprintf("soak-%d", number), soakPoolSize)
	if err := pool.raise(ctx, r.cluster, r.patient(usualBound)); err != nil {
		return err
	}
	schedules, err := r.schedule(ctx, number)
	if err != nil {
		return err
	}
	brief := newPool(fmt.Sprintf("brief-%d", number), soakPoolSize)
	brief.cordoned = true
	var comingAndGoing sync.WaitGroup
	comingAndGoing.Go(func() { r.note(r.comeAndGo(ctx, brief)) })
	r.churn(ctx, pool, time.Now().Add(r.soak.Cycle))
	comingAndGoing.Wait()
	if err := r.endSchedules(ctx, schedules); err != nil {
		return err
	}
	bound := r.patient(usualBound)
	deadline := time.Now().Add(bound)
	for len(r.ledger.open()) > 0 && time.Now().Before(deadline) {
		time.Sleep(playInterval)
	}
	r.judgeAll()
	if err := r.drain(ctx); err != nil {
		return err
	}
	return pool.raze(ctx, r.cluster)
}

// comeAndGo has a profile, its nodes and their agents be there for a while, and change.
func (r *SoakRun) comeAndGo(ctx context.Context, pool Pool) error {
	if err := pool.raise(ctx, r.cluster, r.patient(usualBound)); err != nil {
		return err
	}
	time.Sleep(r.soak.Cycle / 4)
	if err := errors.Join(pool.heartbeat(ctx, r.cluster), pool.reshape(ctx, r.cluster)); err != nil {
		return err
	}
	time.Sleep(r.soak.Cycle / 4)
	return pool.raze(ctx, r.cluster)
}

// churn creates applications at an even rate, each with its fate, until the time is up, and waits for their fates.
func (r *SoakRun) churn(ctx context.Context, pool Pool, end time.Time) {
	ticker := time.NewTicker(time.Duration(float64(time.Second) / r.soak.Rate))
	defer ticker.Stop()
	var fated sync.WaitGroup
	defer fated.Wait()
	beat := time.Now()
	for time.Now().Before(end) {
		<-ticker.C
		fate := fates[r.created%len(fates)]
		r.created++
		name, _ := r.take()
		fated.Go(func() {
			plan := fate.plan
			if fate.pinned {
				plan.Profile = pool.name
			}
			r.submit(ctx, name, plan)
			if fate.befalls != nil {
				r.note(fate.befalls(ctx, r, name))
			}
		})
		if time.Since(beat) > 5*time.Second {
			beat = time.Now()
			r.note(pool.heartbeat(ctx, r.cluster))
		}
	}
}

// note has a request that failed be a violation: nothing is broken here on purpose.
func (r *SoakRun) note(err error) {
	if err != nil {
		r.violate("stuck", "%v", err)
	}
}

// judgeAll judges every application of the cycle and lets go of them.
func (r *SoakRun) judgeAll() {
	r.ledger.mutex.Lock()
	defer r.ledger.mutex.Unlock()
	for _, record := range r.ledger.records {
		if record.Created.IsZero() {
			continue // a schedule's
		}
		r.judged++
		for _, violation := range judge(record) {
			r.violate(violation.Kind, "%s", violation.What)
		}
	}
}

// drain deletes what is left, and waits until the API server has none of it.
func (r *SoakRun) drain(ctx context.Context) error {
	applications := r.cluster.custom.Resource(r.cluster.target.groupVersionResource())
	for i := range r.soak.Namespaces {
		err := applications.Namespace(namespaceName(i)).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
		if err != nil {
			return err
		}
	}
	bound := r.patient(usualBound)
	deadline := time.Now().Add(bound)
	for {
		left, err := r.sampler.left(ctx)
		if err != nil {
			return err
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			r.violate("leftover", "%s after all applications were deleted: %s", bound, strings.Join(left, ", "))
			break
		}
		time.Sleep(time.Second)
	}
	r.ledger.forget()
	r.player.forget()
	return nil
}

func (r *SoakRun) awaitGone(name types.NamespacedName) error {
	bound := r.patient(usualBound)
	for deadline := time.Now().Add(bound); !r.ledger.isGone(name); time.Sleep(playInterval) {
		if time.Now().After(deadline) {
			return fmt.Errorf("%s is not gone %s after it was due", name, bound)
		}
	}
	return nil
}

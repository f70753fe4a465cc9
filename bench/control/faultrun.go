package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
)

// FaultScenario is what a fault run does.
type FaultScenario struct {
	Namespaces int           `json:"namespaces"`
	Executors  int           `json:"executorsPerApplication"`
	Nodes      int           `json:"nodes"`
	Rate       float64       `json:"applicationsPerSecond"`
	Burst      int           `json:"applicationsJustBeforeEachFault"`
	Settle     time.Duration `json:"settleNanoseconds"` // between one fault and the next
	Patience   int           `json:"patience"`          // factor of all bounds
	Hold       time.Duration `json:"holdNanoseconds"`   // how long half-sent requests are held
	only       string
}

func (s FaultScenario) wants(fault Fault) bool {
	return slices.ContainsFunc(strings.Split(s.only, ","), func(part string) bool { return strings.Contains(fault.name, part) })
}

// FaultRun is a fault run on its way.
type FaultRun struct {
	scenario    FaultScenario
	cluster     Cluster
	ledger      *Ledger
	player      *Player
	shell       Shell
	pidFile     string // of the replica whose listeners are attacked
	certificate string

	mutex            sync.Mutex
	next             int             // index of the next application
	closed           map[string]bool // namespaces that are no longer used
	deletedNamespace string
	violations       []Violation
	concerned        []types.NamespacedName // applications that the present fault has created itself
}

// faultsMain is the command `bench-control faults`.
func faultsMain(arguments []string) (bool, error) {
	scenario := FaultScenario{}
	flags := flag.NewFlagSet("faults", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", os.Getenv("KUBECONFIG"), "how to reach the API server")
	targetFile := flags.String("target", "", "target file of numaspark")
	requests := flags.String("requests", "", "pipe for commands to faults.sh")
	replies := flags.String("replies", "", "pipe for its answers")
	logs := flags.String("logs", "", "the logs of the operator's replicas, with commas between them")
	pidFile := flags.String("pid-file", "", "file with the process id of the replica whose listeners are attacked")
	certificate := flags.String("kubelet-certificate", "", "CERTIFICATE,KEY: of a kubelet on 127.0.0.1 that the API server trusts")
	output := flags.String("json", "", "file for the results; none if empty")
	flags.IntVar(&scenario.Namespaces, "namespaces", 4, "namespaces to spread the applications over; at least 2, one is deleted")
	flags.IntVar(&scenario.Executors, "executors", 2, "executors that each driver creates")
	flags.IntVar(&scenario.Nodes, "nodes", 5, "simulated nodes; at least 2, one is lost")
	flags.Float64Var(&scenario.Rate, "rate", 0.35, "applications a second")
	flags.IntVar(&scenario.Burst, "burst", 2, "applications more just before each fault")
	flags.DurationVar(&scenario.Settle, "settle", 5*time.Second, "time between one fault and the next")
	flags.IntVar(&scenario.Patience, "patience", 1, "factor of all bounds, for slow machines")
	flags.DurationVar(&scenario.Hold, "hold", livenessPeriod+10*time.Second, "how long half-sent requests are held")
	flags.StringVar(&scenario.only, "only", "", "only faults whose name contains this, or one of these with commas between them")
	if err := flags.Parse(arguments); err != nil {
		return false, err
	}
	if scenario.Namespaces < 2 || scenario.Nodes < 2 || scenario.Executors < 1 || scenario.Rate <= 0 || scenario.Burst < 0 || scenario.Patience < 1 {
		return false, errors.New("-namespaces and -nodes must be at least 2, -executors at least 1, -rate above 0, -burst at least 0, -patience at least 1")
	}
	klog.SetLogger(logr.Discard()) // client-go tells of each broken watch, and they are the point
	config, cluster, err := connect(*kubeconfig, *targetFile)
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
	run := &FaultRun{
		scenario: scenario, cluster: cluster, ledger: newLedger(cluster.target),
		shell: Shell{asking, bufio.NewReader(answers)}, closed: map[string]bool{},
		pidFile: *pidFile, certificate: *certificate,
	}
	report, err := run.run(config, strings.Split(*logs, ","))
	if err != nil {
		return false, err
	}
	report.print(os.Stdout)
	return len(report.Violations) > 0, writeJSON(*output, report)
}

func (r *FaultRun) run(config *rest.Config, logs []string) (FaultReport, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	start, loadBefore := time.Now(), loadAverage()
	if err := r.cluster.prepare(ctx, Scenario{Nodes: r.scenario.Nodes, Namespaces: r.scenario.Namespaces}); err != nil {
		return FaultReport{}, err
	}
	if err := r.watch(ctx); err != nil {
		return FaultReport{}, err
	}
	go r.player.play(ctx)
	streaming, stop := context.WithCancel(ctx)
	defer stop()
	var stream sync.WaitGroup
	stream.Go(func() { r.stream(streaming) })

	var rows []Row
	for _, fault := range faults {
		if !r.scenario.wants(fault) {
			continue
		}
		time.Sleep(r.scenario.Settle)
		row, err := r.suffer(ctx, fault)
		if err != nil {
			return FaultReport{}, fmt.Errorf("%s: %w", fault.name, err)
		}
		rows = append(rows, row)
	}
	time.Sleep(r.scenario.Settle)
	stop()
	stream.Wait()
	r.awaitEnds(rows)
	time.Sleep(leftoverTime)
	if err := r.checkLeftovers(ctx, config); err != nil {
		return FaultReport{}, err
	}
	return r.report(rows, logs, Machine{LoadBefore: loadBefore, LoadAfter: loadAverage()}, time.Since(start))
}

// leftoverTime is given to the garbage collector after the last application.
const leftoverTime = 5 * time.Second

// Row is what one fault did to the applications that were on their way.
type Row struct {
	Fault      string         `json:"fault"`
	OnTheirWay int            `json:"applicationsOnTheirWay"`
	States     map[string]int `json:"byState"`
	Seconds    float64        `json:"secondsOfFault"`
	UntilFinal float64        `json:"secondsUntilAllWereFinal"` // from the fault's begin; 0: they never were
	names      []types.NamespacedName
	began      time.Time
	deadline   time.Time
	Violations map[string]int `json:"violations"`
}

// suffer has a fault happen while applications are in every stage of their life, some just created.
func (r *FaultRun) suffer(ctx context.Context, fault Fault) (Row, error) {
	var burst sync.WaitGroup
	for range r.scenario.Burst {
		burst.Go(func() { r.create(ctx) })
	}
	burst.Wait()
	row := Row{Fault: fault.name, States: map[string]int{}, began: time.Now()}
	for name, state := range r.ledger.open() {
		row.names = append(row.names, name)
		row.States[state]++
	}
	row.OnTheirWay = len(row.names)
	fmt.Fprintf(os.Stderr, "faults: %s, with %d applications on their way\n", fault.name, row.OnTheirWay)
	if err := fault.action(ctx, r); err != nil {
		return row, err
	}
	row.Seconds = time.Since(row.began).Seconds()
	r.mutex.Lock()
	row.names, r.concerned = append(row.names, r.concerned...), nil
	r.mutex.Unlock()
	row.OnTheirWay = len(row.names)
	row.deadline = time.Now().Add(r.patient(fault.bound))
	return row, nil
}

func (r *FaultRun) patient(bound time.Duration) time.Duration {
	return bound * time.Duration(r.scenario.Patience)
}

func (r *FaultRun) closeNamespace(name string) {
	r.mutex.Lock()
	r.closed[name] = true
	r.mutex.Unlock()
	r.ledger.doom(name)
}

func (r *FaultRun) isClosed(name string) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.closed[name]
}

func (r *FaultRun) violate(kind, format string, values ...any) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.violations = append(r.violations, Violation{kind, fmt.Sprintf(format, values...)})
}

// awaitEnds waits for each fault's applications until its deadline, then for those that came after the last fault.
func (r *FaultRun) awaitEnds(rows []Row) {
	for i := range rows {
		row := &rows[i]
		for {
			last, all := r.ledger.lastEnd(row.names)
			if all {
				row.UntilFinal = max(0, last.Sub(row.began).Seconds())
				if last.After(row.deadline) {
					r.violate("stuck", "%s: the last application was final only after %.0f s", row.Fault, row.UntilFinal)
				}
				break
			}
			if time.Now().After(row.deadline) {
				r.violate("stuck", "%s: not all applications are final in time", row.Fault)
				break
			}
			time.Sleep(playInterval)
		}
	}
	deadline := time.Now().Add(r.patient(usualBound))
	for len(r.ledger.open()) > 0 && time.Now().Before(deadline) {
		time.Sleep(playInterval)
	}
}

func (r *FaultRun) checkLeftovers(ctx context.Context, config *rest.Config) error {
	for _, pod := range r.player.runningPods("executor") {
		r.violate("leftover", "%s/%s still runs", pod.Namespace, pod.Name)
	}
	if r.deletedNamespace == "" {
		return nil
	}
	client, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	found, err := r.cluster.leftovers(ctx, client, r.deletedNamespace)
	for _, object := range found {
		r.violate("leftover", "%s/%s", r.deletedNamespace, object)
	}
	return err
}

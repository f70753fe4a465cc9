// Command bench-control measures an operator for Spark applications on a control plane with simulated nodes.
//
// It creates applications, plays their drivers, and watches drivers and statuses from outside, so that it needs to know
// of an operator only what its target file says. The command faults has things go wrong in the middle instead,
// and soak has everything come and go for hours.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Scenario is what one run does, apart from the target.
type Scenario struct {
	Applications int           `json:"applications"`
	Namespaces   int           `json:"namespaces"`
	Executors    int           `json:"executorsPerApplication"`
	Nodes        int           `json:"nodes"`
	Rate         float64       `json:"applicationsPerSecond"` // 0: as fast as the API server takes them
	Work         time.Duration `json:"workNanoseconds"`
	Timeout      time.Duration `json:"-"`
}

func main() {
	var failed bool
	var err error
	command := ""
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	switch command {
	case "faults":
		failed, err = faultsMain(os.Args[2:])
	case "soak":
		failed, err = soakMain(os.Args[2:])
	default:
		failed, err = benchMain()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-control: error:", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func benchMain() (bool, error) {
	scenario := Scenario{}
	kubeconfig := flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "how to reach the API server")
	targetFile := flag.String("target", "", "target file: which kind of application to create")
	processes := flag.String("processes", "", "NAME=PID,...: processes to account for; the first is the operator")
	output := flag.String("json", "", "file for the results; none if empty")
	flag.IntVar(&scenario.Applications, "applications", 1000, "applications to create")
	flag.IntVar(&scenario.Namespaces, "namespaces", 10, "namespaces to spread them over")
	flag.IntVar(&scenario.Executors, "executors", 4, "executors that each driver creates")
	flag.IntVar(&scenario.Nodes, "nodes", 20, "simulated nodes")
	flag.Float64Var(&scenario.Rate, "rate", 0, "applications a second; 0: all at once")
	flag.DurationVar(&scenario.Work, "work", time.Second, "how long a driver works once its executors run")
	flag.DurationVar(&scenario.Timeout, "timeout", 15*time.Minute, "give up after this long")
	flag.Parse()
	return run(scenario, *kubeconfig, *targetFile, *processes, *output)
}

// run returns whether an application was lost, doubled or failed.
func run(scenario Scenario, kubeconfig, targetFile, processList, output string) (bool, error) {
	if scenario.Applications < 1 || scenario.Namespaces < 1 || scenario.Executors < 0 || scenario.Nodes < 1 || scenario.Rate < 0 {
		return false, fmt.Errorf("-applications, -namespaces and -nodes must be at least 1, -executors and -rate at least 0")
	}
	processes, err := parseProcesses(processList)
	if err != nil {
		return false, err
	}
	_, cluster, err := connect(kubeconfig, targetFile)
	if err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), scenario.Timeout)
	defer cancel()
	if err := cluster.prepare(ctx, scenario); err != nil {
		return false, err
	}
	journal := newJournal(scenario.Applications)
	drivers := newFakeDrivers(cluster.core, scenario, journal)
	if err := cluster.watch(ctx, journal, drivers); err != nil {
		return false, err
	}
	go drivers.work(ctx)

	accounts := openAccounts(processes)
	start := time.Now()
	if err := cluster.createApplications(ctx, scenario, journal); err != nil {
		return false, err
	}
	journal.await(ctx)
	elapsed := journal.lastEnd(start)
	time.Sleep(settling)
	report := newReport(scenario, cluster.target, journal, elapsed, accounts.close())
	report.print(os.Stdout)
	return report.Errors() > 0, writeJSON(output, report)
}

// connect makes clients without a limit of their own: those of the API server are the ones to meet.
func connect(kubeconfig, targetFile string) (*rest.Config, Cluster, error) {
	target, err := readTarget(targetFile)
	if err != nil {
		return nil, Cluster{}, err
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, Cluster{}, err
	}
	config.QPS = -1
	binary := rest.CopyConfig(config)
	binary.ContentType = "application/vnd.kubernetes.protobuf"
	core, err := kubernetes.NewForConfig(binary)
	if err != nil {
		return nil, Cluster{}, err
	}
	custom, err := dynamic.NewForConfig(config)
	return config, Cluster{core: core, custom: custom, target: target}, err
}

// settling is how long the processes are accounted for after the last status: work that an operator puts off counts too.
const settling = 5 * time.Second

// Command numaspark-agent is the unprivileged part of the node agent: it says what its node is, proves which containers are pinned,
// and asks the writer beside it to set knobs. Environment variables, which the chart sets, configure it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"k8s.io/klog/v2"

	"numaspark.io/agent/internal/logging"
	"numaspark.io/agent/internal/reader"
)

// version is set by the linker.
var version = "dev"

const usage = `usage: numaspark-agent [--farewell | --version | --help]

Reads this node and writes its SparkNodeTopology until it is stopped. With --farewell, it returns all CPUs to all containers if numaspark
is being uninstalled; the chart runs this before the container is stopped. The chart starts it, with these variables:
  NUMASPARK_NODE, NUMASPARK_HOST_IP      name and address of the node; required
  NUMASPARK_KUBELET_PORT                 port of the kubelet (10250)
  NUMASPARK_KUBELET_INSECURE_TLS         true accepts any certificate of the kubelet
  NUMASPARK_POD_RESOURCES                the kubelet's socket (/var/lib/kubelet/pod-resources/kubelet.sock)
  NUMASPARK_ROOT, NUMASPARK_CGROUP       where the node's /sys and /proc (/) and its cgroups (/host/cgroup) are
  NUMASPARK_SYSTEMD                      where the node's /run/systemd/transient is, if it is to be read
  NUMASPARK_DMI                          where /sys/firmware/dmi is, if not there
  NUMASPARK_WRITER_SOCKET                socket of the writer, if there is one
  NUMASPARK_PINNER_FOLDER                folder that the pinner shares, if there is one; then also
  NUMASPARK_DAEMONSET, NUMASPARK_NAMESPACE      the DaemonSet of the agent
  NUMASPARK_PAGES, NUMASPARK_PAGES_NAMESPACES   folder of shared pages, and its namespaces with commas between
  NUMASPARK_API, NUMASPARK_CREDENTIALS   the API server, and a folder with token and ca.crt, if not those of the pod
  NUMASPARK_LOG_LEVEL, NUMASPARK_LOG_FORMAT     debug, info, warn or error; text or json
`

func main() {
	if len(os.Args) > 1 {
		os.Exit(answer(os.Args[1:]))
	}
	log := logging.New("numaspark-agent", os.Stderr, os.Getenv)
	// What the client library has to say is a part of the same log.
	klog.SetSlogLogger(log)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	config, err := reader.ConfigOf(os.Getenv)
	if err == nil {
		var r *reader.Reader
		if r, err = reader.New(config, version, log); err == nil {
			r.Run(ctx)
			return
		}
	}
	log.Error(err.Error())
	os.Exit(1)
}

func answer(arguments []string) (status int) {
	switch {
	case len(arguments) == 1 && arguments[0] == "--version":
		fmt.Println("numaspark-agent", version)
	case len(arguments) == 1 && arguments[0] == "--farewell":
		log := logging.New("numaspark-agent", os.Stderr, os.Getenv)
		config, err := reader.ConfigOf(os.Getenv)
		if err == nil {
			err = reader.Farewell(config, version, log)
		}
		if err != nil {
			log.Error(err.Error())
			return 1
		}
	case len(arguments) == 1 && (arguments[0] == "--help" || arguments[0] == "-h"):
		fmt.Print(usage)
	default:
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
	return 0
}

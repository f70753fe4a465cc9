// Command numaspark-pinner pins executors through the container runtime: it is an NRI plugin that gives each container its CPUs
// before it starts. It has no API token, and takes the network from itself.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	nrilog "github.com/containerd/nri/pkg/log"

	"numaspark.io/agent/internal/logging"
	"numaspark.io/agent/internal/nonet"
	"numaspark.io/agent/internal/pinfile"
	"numaspark.io/agent/internal/pinner"
	"numaspark.io/agent/internal/text"
)

// version is set by the linker.
var version = "unknown"

const usage = `usage: numaspark-pinner [--alive | --farewell | --version | --help]

Pins the executors of this node by the layout that the agent has written, until it is stopped. Pins stay when it ends.

  --alive     check that the pinner of this container works, and end
  --farewell  wait until the agent has finished, for 25 seconds at most; the chart runs this before the container is stopped
  --version   print the version
  --help      print this

  NUMASPARK_PINNER_FOLDER  folder that it shares with the agent (/run/numaspark-pinner)
  NUMASPARK_PINNER_SOCKET  the container runtime's NRI socket (/var/run/nri/nri.sock)
  NUMASPARK_LOG_LEVEL      debug, info, warn or error (info)
  NUMASPARK_LOG_FORMAT     text or json (text)

It ends with 0 if all is well, 1 if something could not be done, 2 if its arguments are wrong.
`

// patience is how long the agent may take to have all CPUs given back: less than pods have to end.
const patience = 25 * time.Second

// aliveFor is how old the newest report may be: three heartbeats.
const aliveFor = 90 * time.Second

func main() { os.Exit(run(os.Args[1:])) }

func run(arguments []string) int {
	files := pinfile.Files{Folder: cmp.Or(os.Getenv("NUMASPARK_PINNER_FOLDER"), "/run/numaspark-pinner")}
	if len(arguments) > 0 {
		return answer(arguments, files)
	}
	log := logging.New("numaspark-pinner", os.Stderr, os.Getenv)
	if err := nonet.Enter(); err != nil {
		return fail(err)
	}
	nrilog.Set(pinner.LibraryLog{Log: log})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	err := pinner.Pinner{
		Files:    files,
		Socket:   cmp.Or(os.Getenv("NUMASPARK_PINNER_SOCKET"), "/var/run/nri/nri.sock"),
		Patience: pinner.UsualPatience,
		Look:     pinner.UsualLook,
		Log:      log,
	}.Run(ctx)
	if err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, text.Line("numaspark pinner: "+err.Error()))
	return 1
}

func answer(arguments []string, files pinfile.Files) int {
	if len(arguments) == 1 {
		switch arguments[0] {
		case "--alive":
			if err := files.CheckAlive(time.Now(), aliveFor); err != nil {
				return fail(err)
			}
			return 0
		case "--farewell":
			for end := time.Now().Add(patience); time.Now().Before(end) && !files.HasFarewell(); {
				time.Sleep(patience / 100)
			}
			return 0
		case "--version":
			fmt.Println("numaspark-pinner", version)
			return 0
		case "--help", "-h":
			fmt.Print(usage)
			return 0
		}
	}
	fmt.Fprint(os.Stderr, usage)
	return 2
}

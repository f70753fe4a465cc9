// Command numaspark-counter counts what executors do with their CPUs: instructions, cache misses, accesses to other NUMA nodes. It has no
// API token, and takes the network from itself.
package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"numaspark.io/agent/internal/counter"
	"numaspark.io/agent/internal/countfile"
	"numaspark.io/agent/internal/logging"
	"numaspark.io/agent/internal/nonet"
	"numaspark.io/agent/internal/perf"
	"numaspark.io/agent/internal/text"
)

// version is set by the linker.
var version = "unknown"

const usage = `usage: numaspark-counter [--alive | --version | --help]

Counts on the CPUs of this node's executors what the kernel's perf events say, until it is stopped. It needs CAP_PERFMON.

  --alive    check that the counter of this container works, and end
  --version  print the version
  --help     print this

  NUMASPARK_COUNTER_FOLDER  folder that it shares with the agent (/run/numaspark-counter)
  NUMASPARK_COUNTER_ROOT    where the node's /sys and /proc are (/)
  NUMASPARK_LOG_LEVEL       debug, info, warn or error (info)
  NUMASPARK_LOG_FORMAT      text or json (text)

It ends with 0 if all is well, 1 if something could not be done, 2 if its arguments are wrong.
`

// aliveFor is how old the newest report may be: several times that after which the next one is due.
const aliveFor = 90 * time.Second

func main() { os.Exit(run(os.Args[1:])) }

func run(arguments []string) int {
	files := countfile.Files{Folder: cmp.Or(os.Getenv("NUMASPARK_COUNTER_FOLDER"), "/run/numaspark-counter")}
	if len(arguments) > 0 {
		return answer(arguments, files)
	}
	if err := nonet.Enter(); err != nil {
		return fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	c := counter.Counter{
		Files:  files,
		Kernel: perf.System{},
		Root:   cmp.Or(os.Getenv("NUMASPARK_COUNTER_ROOT"), "/"),
		Look:   counter.UsualLook,
		Log:    logging.New("numaspark-counter", os.Stderr, os.Getenv),
	}
	if err := c.Run(ctx); err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, text.Line("numaspark counter: "+err.Error()))
	return 1
}

func answer(arguments []string, files countfile.Files) int {
	if len(arguments) == 1 {
		switch arguments[0] {
		case "--alive":
			if err := files.CheckAlive(time.Now(), aliveFor); err != nil {
				return fail(err)
			}
			return 0
		case "--version":
			fmt.Println("numaspark-counter", version)
			return 0
		case "--help", "-h":
			fmt.Print(usage)
			return 0
		}
	}
	fmt.Fprint(os.Stderr, usage)
	return 2
}

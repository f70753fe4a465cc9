// The numaspark-writer program is the privileged writer's process. Without argument it serves its socket until SIGTERM, and
// then restores everything; with restore it restores everything and ends. It has no API token and needs no network.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/api"
	"numaspark.io/agent/internal/knob"
	"numaspark.io/agent/internal/logging"
	"numaspark.io/agent/internal/text"
	"numaspark.io/agent/internal/writer"
)

// version is set by the linker.
var version = "unknown"

// patience is how long a client may take to say its line, and again to read the reply.
const patience = 5 * time.Second

const usage = `usage: numaspark-writer [--own-network] [restore]

Sets knobs of this node as its socket asks, and restores them on SIGTERM. With restore it restores what was set, and ends.

  --own-network  first move into a network namespace with nothing in it
  --version      print the version
  --help         print this

  NUMASPARK_WRITER_ROOT    where /proc, /sys and /dev are (/)
  NUMASPARK_WRITER_STATE   directory on the host for the originals (/var/lib/numaspark)
  NUMASPARK_WRITER_SOCKET  the socket (/run/numaspark/writer.sock)
  NUMASPARK_LOG_LEVEL      debug, info, warn or error (info)
  NUMASPARK_LOG_FORMAT     text or json (text)

It ends with 0 if all is well, 1 if something could not be done, 2 if its arguments are wrong.
`

func main() { os.Exit(run(os.Args[1:])) }

func run(arguments []string) int {
	flags := flag.NewFlagSet("numaspark-writer", flag.ContinueOnError)
	flags.Usage = func() { fmt.Fprint(os.Stderr, usage) }
	ownNetwork := flags.Bool("own-network", false, "")
	showVersion := flags.Bool("version", false, "")
	if err := flags.Parse(arguments); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	once := flags.NArg() == 1 && flags.Arg(0) == "restore"
	if flags.NArg() > 0 && !once {
		flags.Usage()
		return 2
	}
	if *showVersion {
		fmt.Println(version)
		return 0
	}
	if *ownNetwork {
		return fail(leaveNetwork(flags.Args()))
	}
	log := logging.New("numaspark-writer", os.Stderr, os.Getenv)
	all, err := work(log, once)
	if err != nil {
		return fail(err)
	}
	if !all {
		return 1
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, text.Line("numaspark writer: "+err.Error()))
	return 1
}

// leaveNetwork starts this program anew in a network namespace of its own, so that all of its threads are in it. It returns
// only with an error.
func leaveNetwork(arguments []string) error {
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return fmt.Errorf("--own-network: the kernel refuses a network namespace (%w): run the writer privileged, or leave the"+
			" flag out", err)
	}
	err := unix.Exec("/proc/self/exe", append([]string{os.Args[0]}, arguments...), os.Environ())
	return fmt.Errorf("--own-network: /proc/self/exe cannot be started: %w", err)
}

// work reports whether everything is back.
func work(log *slog.Logger, once bool) (bool, error) {
	state := setting("NUMASPARK_WRITER_STATE", "/var/lib/numaspark")
	lock, err := writer.Lock(log, state)
	if err != nil {
		return false, err
	}
	defer lock.Close()
	w, err := writer.New(log, setting("NUMASPARK_WRITER_ROOT", "/"), state)
	if err != nil {
		return false, err
	}
	if !once {
		return serve(log, w, setting("NUMASPARK_WRITER_SOCKET", "/run/numaspark/writer.sock"))
	}
	states, err := w.Restore()
	return isAllBack(log, states), err
}

func setting(name, otherwise string) string {
	return cmp.Or(strings.TrimSpace(os.Getenv(name)), otherwise)
}

func serve(log *slog.Logger, w *writer.Writer, socket string) (bool, error) {
	ctx, stop := signal.NotifyContext(context.Background(), unix.SIGTERM, unix.SIGINT, unix.SIGHUP)
	defer stop()
	if states, err := w.Resume(); err != nil {
		log.Error(err.Error()) // It serves nevertheless, so that the reader can report it.
	} else {
		isAllBack(log, states)
	}
	server, err := writer.Listen(log, w, socket, patience)
	if err != nil {
		return false, errors.Join(err, end(log, w))
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve() }()
	select {
	case <-ctx.Done():
	case err = <-served:
	}
	// What is being served ends first; a client that is silent is not waited for.
	return true, errors.Join(err, server.Close(), end(log, w))
}

// end restores everything.
func end(log *slog.Logger, w *writer.Writer) error {
	states, err := w.Close()
	if err != nil {
		return fmt.Errorf("knobs are not restored: %w", err)
	}
	if !isAllBack(log, states) {
		return errors.New("some knobs are not restored")
	}
	return nil
}

func isAllBack(log *slog.Logger, states []api.KnobState) bool {
	all := true
	for _, state := range states {
		if state.State != knob.Restored {
			all = false
			log.Error(state.Name + " is not restored: " + state.Message)
		}
	}
	return all
}

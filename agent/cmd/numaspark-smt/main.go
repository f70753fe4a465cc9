// Command numaspark-smt switches SMT of a node off or on. The numaspark command starts it in a pod on a drained node, where it installs
// itself as a service of the node and waits for the result; the service switches.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/sys/unix"

	"numaspark.io/agent/internal/logging"
	"numaspark.io/agent/internal/smt"
	"numaspark.io/agent/internal/text"
)

// version is set by the linker.
var version = "unknown"

const usage = `usage: numaspark-smt check|switch off|on
       numaspark-smt run
       numaspark-smt --version | --help

Switches SMT of a node under its kubelet. 'numaspark smt NODE --to off' starts it; nobody else has to.

  check   report whether SMT could be switched off or on; changes nothing
  switch  install a service on the node that switches SMT, and wait for the result
  run     what this service does: switch, or switch SMT off again after the machine has started

  NUMASPARK_SMT_ROOT    folder with the node's root, which check and switch change to (/host)
  NUMASPARK_SMT_REPORT  file for the result of check and switch, as JSON (/dev/termination-log)

It ends with 0 if all is well, 1 if something could not be done, 2 if its arguments are wrong.
`

// longestProgram is more than a build of this program has.
const longestProgram = 64 << 20

func main() { os.Exit(run(os.Args[1:])) }

func run(arguments []string) int {
	switch {
	case len(arguments) == 1 && arguments[0] == "run":
		return serve()
	case len(arguments) == 1 && arguments[0] == "--version":
		fmt.Println("numaspark-smt", version)
		return 0
	case len(arguments) == 1 && (arguments[0] == "--help" || arguments[0] == "-h"):
		fmt.Print(usage)
		return 0
	case len(arguments) == 2 && (arguments[0] == "check" || arguments[0] == "switch") && (arguments[1] == smt.Off || arguments[1] == smt.On):
		return request(arguments[0] == "check", arguments[1])
	}
	fmt.Fprint(os.Stderr, usage)
	return 2
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, text.Line("numaspark smt: "+err.Error()))
	return 1
}

func serve() int {
	log := logging.New("numaspark-smt", os.Stderr, os.Getenv)
	switcher := smt.Switcher{Host: smt.System{}, Clock: smt.System{}, Log: log, Ready: func() {
		if err := smt.NotifyReady(os.Getenv); err != nil {
			log.Error(err.Error())
		}
	}}
	if err := switcher.Run(); err != nil {
		return fail(err)
	}
	return 0
}

// request answers a pod's question. The result is written, whatever it is.
func request(isCheck bool, target string) int {
	// Both are files of the container.
	program, err := ownProgram()
	if err != nil {
		return fail(err)
	}
	answer, err := os.OpenFile(setting("NUMASPARK_SMT_REPORT", "/dev/termination-log"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fail(err)
	}
	root := setting("NUMASPARK_SMT_ROOT", "/host")
	if err := errors.Join(unix.Chroot(root), unix.Chdir("/")); err != nil {
		return fail(fmt.Errorf("%s: the node's root cannot be entered: %w", root, err))
	}
	launcher := smt.Launcher{Units: smt.System{}, Clock: smt.System{}, Program: program}
	var report smt.Report
	if isCheck {
		report = launcher.Check(target)
	} else {
		report = launcher.Launch(target)
	}
	line, err := json.Marshal(report)
	if err == nil {
		_, err = answer.Write(line)
	}
	if err = errors.Join(err, answer.Close()); err != nil {
		return fail(err)
	}
	fmt.Println(string(line))
	if report.State != smt.Checked && report.State != smt.Switched {
		return 1
	}
	return 0
}

func ownProgram() ([]byte, error) {
	file, err := os.Open("/proc/self/exe")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, longestProgram))
}

func setting(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

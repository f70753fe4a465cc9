// Command oracle answers what the kubelet would do with pods on a node: see README.md.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

const usage = `usage: oracle COMMAND

  run                    read cases from standard input, one JSON object a line, and write the answers
  generate --seed S --count N [--first I] [--class NAME]
                         write random cases with their answers; the same arguments give the same cases
  record FOLDER          write the cases of the Java tests: FOLDER/named.jsonl and FOLDER/generated.jsonl
  differences FOLDER     answer these cases with this version of the kubelet, and write FOLDER/MINOR.jsonl: the ids and answers of
                         those that it answers differently
  undefined --seed S --count N [--first I] [--class NAME] [--runs R]
                         run each random case R times and write those whose answers differ
  version                the version of Kubernetes whose kubelet answers
  help

Classes for --class, several separated by commas: %s
`

func main() {
	// The kubelet's code says much; the answers say all that matters.
	klog.SetLogger(logr.Discard())
	if err := command(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle: error:", err)
		os.Exit(1)
	}
}

func command(arguments []string) error {
	if len(arguments) == 0 {
		return errors.New("no command; see 'oracle help'")
	}
	name, rest := arguments[0], arguments[1:]
	out := bufio.NewWriter(os.Stdout)
	defer func() { _ = out.Flush() }()
	switch name {
	case "run":
		return run(os.Stdin, out)
	case "generate":
		return generate(rest, out)
	case "undefined":
		return undefined(rest, out)
	case "record":
		if len(rest) != 1 {
			return errors.New("record needs one folder")
		}
		return record(rest[0])
	case "differences":
		if len(rest) != 1 {
			return errors.New("differences needs one folder")
		}
		return differences(rest[0])
	case "version":
		_, err := fmt.Fprintln(out, kubernetesVersion())
		return err
	case "help", "--help", "-h":
		_, err := fmt.Fprintf(out, usage, strings.Join(classNames(), ", "))
		return err
	default:
		return fmt.Errorf("unknown command %q; see 'oracle help'", name)
	}
}

// run answers each line before it reads the next one, so that another program can ask and wait.
func run(in io.Reader, out *bufio.Writer) error {
	reader := bufio.NewReader(in)
	for {
		line, err := reader.ReadBytes('\n')
		if text := strings.TrimSpace(string(line)); text != "" {
			c, parseError := parseCase([]byte(text))
			a := Answer{ID: c.ID}
			if parseError != nil {
				a.Error = parseError.Error()
			} else {
				a = answer(c)
			}
			if err := writeLine(out, a); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func writeLine(out *bufio.Writer, value any) error {
	line, err := encode(value)
	if err != nil {
		return err
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	return out.Flush()
}

func kubernetesVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "k8s.io/kubernetes" {
				return module.Version
			}
		}
	}
	return "unknown"
}

// selection is what generate and undefined have in common: which random cases.
type selection struct {
	seed    uint64
	count   int
	first   int
	classes string
}

func (s *selection) flags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.Uint64Var(&s.seed, "seed", 1, "seed of the random cases")
	flags.IntVar(&s.count, "count", 100, "number of cases")
	flags.IntVar(&s.first, "first", 0, "number of the first case")
	flags.StringVar(&s.classes, "class", "", "only cases of these classes")
	return flags
}

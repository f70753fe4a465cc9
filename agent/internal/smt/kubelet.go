package smt

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"numaspark.io/agent/internal/text"
)

const (
	longestCommandLine = 256 << 10
	longestCgroup      = 64 << 10
	usualRoot          = "/var/lib/kubelet"
)

// kubelet is how the node's kubelet was started.
type kubelet struct {
	unit  string
	flags map[string]string
	// folder is that in which it was started; the flags' paths are relative to it.
	folder string
}

// findKubelet returns the one process called kubelet that is a service of systemd.
func findKubelet(host Host) (kubelet, error) {
	entries, err := host.List("/proc")
	if err != nil {
		return kubelet{}, err
	}
	var found []kubelet
	inContainer := false
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name); err != nil {
			continue
		}
		folder := "/proc/" + entry.Name
		// Processes end while the folder is read.
		line, err := host.Read(folder+"/cmdline", longestCommandLine)
		if err != nil {
			continue
		}
		words := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
		if path.Base(words[0]) != "kubelet" {
			continue
		}
		groups, err := host.Read(folder+"/cgroup", longestCgroup)
		if err != nil {
			continue
		}
		unit := unitOf(string(groups))
		if unit == "" {
			inContainer = true
			continue
		}
		started, err := host.Resolve(folder + "/cwd")
		if err != nil {
			started = "/"
		}
		found = append(found, kubelet{unit, flagsOf(words[1:]), started})
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return kubelet{}, errors.New("several kubelets run on this node: switch SMT by hand (docs/smt.md)")
	case inContainer:
		return kubelet{}, errors.New("the kubelet is not a service of systemd: switch SMT by hand (docs/smt.md)")
	}
	return kubelet{}, errors.New("no process is called kubelet: if it is a part of another program, as with k3s, switch SMT by hand (docs/smt.md)")
}

// unitOf returns the service of a process from its cgroups; empty if it is in a container or in no service.
func unitOf(groups string) string {
	for line := range strings.Lines(groups) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 || fields[1] != "" && fields[1] != "name=systemd" {
			continue
		}
		if strings.Contains(fields[2], "kubepods") || strings.Contains(fields[2], ".scope") {
			return ""
		}
		for part := range strings.SplitSeq(fields[2], "/") {
			// A sub-group of the service, as with Delegate=, has the service above it.
			if strings.HasSuffix(part, ".service") {
				return part
			}
		}
	}
	return ""
}

// flagsOf reads --name=value, --name value and --name.
func flagsOf(words []string) map[string]string {
	flags := map[string]string{}
	for i, word := range words {
		name, ok := strings.CutPrefix(word, "-")
		if !ok {
			continue
		}
		name = strings.TrimPrefix(name, "-")
		name, value, has := strings.Cut(name, "=")
		if !has && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			value = words[i+1]
		}
		// pflag takes either sign.
		flags[strings.ReplaceAll(name, "_", "-")] = value
	}
	return flags
}

// check refuses a kubelet whose reservation is not in a file.
func (k kubelet) check() error {
	if _, set := k.flags["reserved-cpus"]; set {
		return errors.New("the kubelet's reservation is the flag --reserved-cpus on its command line: remove the flag, set" +
			" reservedSystemCPUs in the kubelet's configuration, and restart the kubelet")
	}
	return nil
}

// path is the value of a flag as an absolute path; empty if the flag is not set.
func (k kubelet) path(flag string) string {
	if k.flags[flag] == "" {
		return ""
	}
	return folderOf(k.folder, k.flags[flag])
}

// stateFiles keep the kubelet from starting if CPUs have come or gone.
func (k kubelet) stateFiles() []string {
	root := k.path("root-dir")
	if root == "" {
		root = usualRoot
	}
	return []string{path.Join(root, "cpu_manager_state"), path.Join(root, "memory_manager_state")}
}

// files are those that the configuration is merged from, in their order: the file of --config, then the *.conf below --config-dir
// (cmd/kubelet/app/server.go: mergeKubeletConfigurations).
func (k kubelet) files(host Host) ([]string, error) {
	var files []string
	if file := k.path("config"); file != "" {
		files = append(files, file)
	}
	folder := k.path("config-dir")
	if folder == "" {
		return files, nil
	}
	dropIns, err := dropInsOf(host, folder, 0)
	return append(files, dropIns...), err
}

const (
	deepest   = 16
	mostFiles = 1024
)

func dropInsOf(host Host, folder string, depth int) ([]string, error) {
	if depth > deepest {
		return nil, fmt.Errorf("the kubelet's --config-dir has folders of more than %d levels", deepest)
	}
	entries, err := host.List(folder)
	if err != nil {
		return nil, fmt.Errorf("the kubelet's drop-ins cannot be listed: %w", err)
	}
	var files []string
	for _, entry := range entries {
		name := path.Join(folder, entry.Name)
		if entry.IsFolder {
			below, err := dropInsOf(host, name, depth+1)
			if err != nil {
				return nil, err
			}
			files = append(files, below...)
		} else if strings.HasSuffix(entry.Name, ".conf") {
			files = append(files, name)
		}
	}
	if len(files) > mostFiles {
		return nil, fmt.Errorf("%s has more than %d drop-ins", text.Quote(folder), mostFiles)
	}
	return files, nil
}

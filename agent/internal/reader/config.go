package reader

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"numaspark.io/agent/internal/kubelet"
)

const (
	credentialsFolder = "/var/run/secrets/kubernetes.io/serviceaccount"
	socketTimeout     = 10 * time.Second
	// To connect, to agree on TLS and to answer may take 10 s each.
	configzTimeout = 30 * time.Second
)

// Config is what the environment says.
type Config struct {
	// Node is the name of the node.
	Node string
	// API is the address of the API server, such as https://10.96.0.1:443.
	API string
	// Credentials is the folder with token and ca.crt.
	Credentials  string
	Configz      kubelet.Configz
	PodResources kubelet.PodResources
	// Root is where the node's sys/ and proc/ are, Cgroup where its /sys/fs/cgroup is.
	Root, Cgroup string
	// Systemd is where the node's /run/systemd/transient is; empty if it is not to be read.
	Systemd string
	// DMI is the folder of the firmware's tables; empty if they are where they belong.
	DMI string
	// WriterSocket is where the writer listens; empty if there is none.
	WriterSocket string
	// Pinner is the folder that the pinner shares; empty if there is none.
	Pinner string
	// Counter is the folder that the counter shares; empty if there is none.
	Counter string
	// DaemonSet is the name of that which the agent belongs to, and Namespace its namespace; empty if it is not to be asked for.
	DaemonSet, Namespace string
	// Pages is the folder with those in which executors share pages, one for each namespace; empty if there are none.
	Pages           string
	PagesNamespaces []string
}

// ConfigOf reads the settings. An error names the variable that is missing or wrong.
func ConfigOf(getenv func(string) string) (Config, error) {
	e := environment{getenv: getenv}
	credentials := e.or("NUMASPARK_CREDENTIALS", credentialsFolder)
	config := Config{
		Node:        e.required("NUMASPARK_NODE"),
		API:         e.api(),
		Credentials: credentials,
		Configz: kubelet.Configz{
			Host:            e.required("NUMASPARK_HOST_IP"),
			Port:            e.port("NUMASPARK_KUBELET_PORT", kubelet.DefaultPort),
			TokenFile:       filepath.Join(credentials, "token"),
			AuthoritiesFile: filepath.Join(credentials, "ca.crt"),
			Insecure:        e.isTrue("NUMASPARK_KUBELET_INSECURE_TLS"),
			Timeout:         configzTimeout,
		},
		PodResources: kubelet.PodResources{Socket: e.or("NUMASPARK_POD_RESOURCES", kubelet.DefaultSocket), Timeout: socketTimeout},
		Root:         e.or("NUMASPARK_ROOT", "/"),
		Cgroup:       e.or("NUMASPARK_CGROUP", "/host/cgroup"),
		Systemd:      getenv("NUMASPARK_SYSTEMD"),
		DMI:          getenv("NUMASPARK_DMI"),
		WriterSocket: getenv("NUMASPARK_WRITER_SOCKET"),
		Pinner:       getenv("NUMASPARK_PINNER_FOLDER"),
		Counter:      getenv("NUMASPARK_COUNTER_FOLDER"),
		Pages:        getenv("NUMASPARK_PAGES"),
	}
	if config.Pinner != "" {
		config.DaemonSet, config.Namespace = e.required("NUMASPARK_DAEMONSET"), e.required("NUMASPARK_NAMESPACE")
	}
	if config.Pages != "" {
		config.PagesNamespaces = strings.Split(e.required("NUMASPARK_PAGES_NAMESPACES"), ",")
		slices.Sort(config.PagesNamespaces)
		config.PagesNamespaces = slices.Compact(config.PagesNamespaces)
	}
	return config, e.err
}

// environment keeps the first error, so that settings can be read one after the other.
type environment struct {
	getenv func(string) string
	err    error
}

func (e *environment) fail(format string, values ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, values...)
	}
}

func (e *environment) or(name, absent string) string {
	if value := e.getenv(name); value != "" {
		return value
	}
	return absent
}

func (e *environment) required(name string) string {
	value := e.getenv(name)
	if value == "" {
		e.fail("%s is not set; the chart sets it, see charts/numaspark/templates/agent.yaml", name)
	}
	return value
}

func (e *environment) isTrue(name string) bool { return strings.EqualFold(e.getenv(name), "true") }

func (e *environment) port(name string, absent int) int {
	text := e.or(name, strconv.Itoa(absent))
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil || port == 0 {
		e.fail("%s: '%s' is not a port; give 1 to 65535", name, text)
	}
	return int(port)
}

// api takes the variables that the kubelet gives to every pod, unless another address is named.
func (e *environment) api() string {
	address := e.getenv("NUMASPARK_API")
	if address == "" {
		host, port := e.required("KUBERNETES_SERVICE_HOST"), e.required("KUBERNETES_SERVICE_PORT")
		address = "https://" + net.JoinHostPort(host, port)
	}
	if parsed, err := url.Parse(address); err != nil || parsed.Host == "" || parsed.Scheme != "https" {
		e.fail("'%s' is not the address of an API server: write it as https://10.96.0.1:443", address)
	}
	return address
}

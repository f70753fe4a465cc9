package reader

import (
	"maps"
	"strings"
	"testing"
)

var pod = map[string]string{
	"NUMASPARK_NODE":          "worker-7",
	"NUMASPARK_HOST_IP":       "192.0.2.7",
	"KUBERNETES_SERVICE_HOST": "10.96.0.1",
	"KUBERNETES_SERVICE_PORT": "443",
}

func configWith(name, value string) (Config, error) {
	all := maps.Clone(pod)
	all[name] = value
	return ConfigOf(func(name string) string { return all[name] })
}

func TestConfigNeedsNoMoreThanWhatEveryPodHasAndTheNode(t *testing.T) {
	config, err := configWith("", "")
	if err != nil {
		t.Fatal(err)
	}
	if config.API != "https://10.96.0.1:443" || config.Configz.Host != "192.0.2.7" || config.Configz.Port != 10250 {
		t.Errorf("%+v", config)
	}
	if config.Configz.AuthoritiesFile != "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt" || config.Configz.Insecure {
		t.Errorf("the kubelet's certificate is not judged: %+v", config.Configz)
	}
	if config.WriterSocket != "" || config.DMI != "" || config.Pages != "" {
		t.Errorf("%+v", config)
	}
}

func TestConfigWritesAnIPv6AddressInBrackets(t *testing.T) {
	config, err := configWith("KUBERNETES_SERVICE_HOST", "fd00::1")
	if err != nil || config.API != "https://[fd00::1]:443" {
		t.Errorf("%s, %v", config.API, err)
	}
}

func TestConfigNamesTheVariableThatIsWrong(t *testing.T) {
	for _, wrong := range []struct{ name, value, message string }{
		{"NUMASPARK_NODE", "", "NUMASPARK_NODE is not set"},
		{"NUMASPARK_HOST_IP", "", "NUMASPARK_HOST_IP is not set"},
		{"KUBERNETES_SERVICE_PORT", "", "KUBERNETES_SERVICE_PORT is not set"},
		{"NUMASPARK_KUBELET_PORT", "0", "NUMASPARK_KUBELET_PORT: '0' is not a port"},
		{"NUMASPARK_KUBELET_PORT", "65536", "NUMASPARK_KUBELET_PORT: '65536' is not a port"},
		{"NUMASPARK_KUBELET_PORT", "kubelet", "NUMASPARK_KUBELET_PORT: 'kubelet' is not a port"},
		{"NUMASPARK_API", "::", "'::' is not the address of an API server"},
		{"NUMASPARK_API", "http://10.96.0.1", "is not the address of an API server"},
		{"NUMASPARK_PAGES", "/host/pages", "NUMASPARK_PAGES_NAMESPACES is not set"},
	} {
		if _, err := configWith(wrong.name, wrong.value); err == nil || !strings.Contains(err.Error(), wrong.message) {
			t.Errorf("%s=%s: %v", wrong.name, wrong.value, err)
		}
	}
}

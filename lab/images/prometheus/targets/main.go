// Command targets answers Prometheus' HTTP service discovery for Kubernetes, which Debian's Prometheus lacks. /targets are the pods that
// ask to be scraped: those annotated with prometheus.io/scrape=true, at prometheus.io/port and prometheus.io/path. /ports are all ports
// of running pods with the labels by which Prometheus' own discovery (role pod) tells them, as far as the lab's rules use these.
// The program runs beside Prometheus in its pod, with the service account of the pod.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"time"
)

const (
	address    = "127.0.0.1:9091"
	account    = "/var/run/secrets/kubernetes.io/serviceaccount"
	annotation = "prometheus.io/"
)

var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_]`)

type podList struct {
	Items []struct {
		Metadata struct {
			Name, Namespace     string
			Annotations, Labels map[string]string
		}
		Spec struct {
			Containers []struct {
				Ports []struct {
					Name          string
					ContainerPort int
				}
			}
		}
		Status struct {
			Phase, PodIP string
		}
	}
}

type targetGroup struct {
	Targets []string          `json:"targets"`
	Labels  map[string]string `json:"labels"`
}

func main() {
	client, err := newClient()
	if err != nil {
		log.Fatal(err)
	}
	answer("/targets", client, annotated)
	answer("/ports", client, ports)
	log.Fatal(http.ListenAndServe(address, nil))
}

func answer(path string, client *http.Client, targets func(podList) []targetGroup) {
	http.HandleFunc(path, func(response http.ResponseWriter, _ *http.Request) {
		pods, err := listPods(client)
		if err != nil {
			// Prometheus keeps its last targets when discovery fails.
			log.Print(err)
			http.Error(response, err.Error(), http.StatusBadGateway)
			return
		}
		response.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(response).Encode(targets(pods)); err != nil {
			log.Print(err)
		}
	})
}

func newClient() (*http.Client, error) {
	authority, err := os.ReadFile(filepath.Join(account, "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(authority) {
		return nil, fmt.Errorf("no certificate in %s/ca.crt", account)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}}
	return &http.Client{Transport: transport, Timeout: 4 * time.Second}, nil
}

func listPods(client *http.Client) (podList, error) {
	var pods podList
	// The kubelet renews the token: it is read each time.
	token, err := os.ReadFile(filepath.Join(account, "token"))
	if err != nil {
		return pods, err
	}
	server := net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	request, err := http.NewRequest(http.MethodGet, "https://"+server+"/api/v1/pods", nil)
	if err != nil {
		return pods, err
	}
	request.Header.Set("Authorization", "Bearer "+string(token))
	response, err := client.Do(request)
	if err != nil {
		return pods, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return pods, fmt.Errorf("listing pods: %s", response.Status)
	}
	return pods, json.NewDecoder(response.Body).Decode(&pods)
}

// annotated never returns nil: Prometheus wants an empty list, not null.
func annotated(pods podList) []targetGroup {
	groups := []targetGroup{}
	for _, pod := range pods.Items {
		annotations := pod.Metadata.Annotations
		port := annotations[annotation+"port"]
		running := pod.Status.Phase == "Running" && pod.Status.PodIP != ""
		if !running || annotations[annotation+"scrape"] != "true" || port == "" {
			continue
		}
		labels := map[string]string{"namespace": pod.Metadata.Namespace, "pod": pod.Metadata.Name}
		if path := annotations[annotation+"path"]; path != "" {
			labels["__metrics_path__"] = path
		}
		groups = append(groups, targetGroup{[]string{net.JoinHostPort(pod.Status.PodIP, port)}, labels})
	}
	return groups
}

func ports(pods podList) []targetGroup {
	groups := []targetGroup{}
	for _, pod := range pods.Items {
		if pod.Status.Phase != "Running" || pod.Status.PodIP == "" {
			continue
		}
		labels := map[string]string{"__meta_kubernetes_namespace": pod.Metadata.Namespace}
		addAll(labels, "__meta_kubernetes_pod_label_", pod.Metadata.Labels)
		addAll(labels, "__meta_kubernetes_pod_annotation_", pod.Metadata.Annotations)
		for _, container := range pod.Spec.Containers {
			for _, port := range container.Ports {
				own := maps.Clone(labels)
				own["__meta_kubernetes_pod_container_port_name"] = port.Name
				address := net.JoinHostPort(pod.Status.PodIP, strconv.Itoa(port.ContainerPort))
				groups = append(groups, targetGroup{[]string{address}, own})
			}
		}
	}
	return groups
}

// addAll gives names the form that Prometheus gives them: what is not a letter or digit becomes an underscore.
func addAll(labels map[string]string, prefix string, values map[string]string) {
	for name, value := range values {
		labels[prefix+notInNames.ReplaceAllString(name, "_")] = value
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/uuid"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

const (
	forgedPods = 20
	// A rejection that is believed withholds slots for 30 s at least: it would be seen within this time.
	forgedHold = 15 * time.Second
	// While such a pod is still pending it is bound to the node like any other.
	forgedSettle = 5 * time.Second
)

// rejections are the reasons for which a kubelet refuses a pod that the scheduler has bound to it.
var rejections = []string{"UnexpectedAdmissionError", "TopologyAffinityError", "OutOfcpu", "OutOfmemory"}

// forgePods has a stranger create pods that look like executors which a kubelet has rejected, of profiles that exist and of profiles
// that do not. Whoever may create pods can do that: no slot may go, and no metric may come.
func forgePods(ctx context.Context, run *FaultRun) error {
	pool := newPool("forged", 2)
	if err := pool.raise(ctx, run.cluster, run.patient(usualBound)); err != nil {
		return err
	}
	before := map[string]int64{}
	for _, node := range pool.nodes {
		slots, err := pool.slots(ctx, run.cluster, node)
		if err != nil {
			return err
		}
		before[node] = slots
	}
	stranger := strings.ToLower(string(uuid.NewUUID()))
	for i := range forgedPods {
		profile := pool.name
		if i%2 == 1 {
			profile = fmt.Sprintf("%s-%d", stranger, i)
		}
		if err := run.forgePod(ctx, i, profile, pool.nodes[i%len(pool.nodes)]); err != nil {
			return err
		}
	}
	time.Sleep(forgedSettle)
	end := time.Now().Add(forgedHold)
	for told := map[string]bool{}; time.Now().Before(end); time.Sleep(playInterval) {
		for _, node := range pool.nodes {
			slots, err := pool.slots(ctx, run.cluster, node)
			if err == nil && slots < before[node] && !told[node] {
				told[node] = true
				run.violate("stuck", "pods of a stranger took %d of the %d slots of node %s", before[node]-slots, before[node], node)
			}
		}
	}
	text, err := run.metrics(ctx)
	if err != nil {
		return err
	}
	if count := strings.Count(text, stranger); count > 0 {
		run.violate("leftover", "%d metric series name profiles that only a stranger's pods name", count)
	}
	return nil
}

func (r *FaultRun) forgePod(ctx context.Context, number int, profile, node string) error {
	pods := r.cluster.core.CoreV1().Pods(namespaceName(0))
	name := fmt.Sprintf("forged-%d", number)
	cpus := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("999"), corev1.ResourceMemory: resource.MustParse("1Gi")}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			roleLabel: "executor", executorLabel: "1", selectorLabel: name, profileLabel: profile,
			r.cluster.target.ApplicationLabel: "no-such-application", "app.kubernetes.io/managed-by": "numaspark",
		}},
		Spec: corev1.PodSpec{
			NodeName: node, RestartPolicy: corev1.RestartPolicyNever,
			Containers: []corev1.Container{{Name: "main", Image: "example.com/any", Resources: corev1.ResourceRequirements{Requests: cpus, Limits: cpus}}},
		},
	}
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return err
	}
	// The simulated kubelet starts it first, or it would do so after it has failed.
	err := wait.PollUntilContextTimeout(ctx, playInterval, r.patient(usualBound), true, func(ctx context.Context) (bool, error) {
		now, err := pods.Get(ctx, name, metav1.GetOptions{})
		return err == nil && now.Status.Phase == corev1.PodRunning, nil
	})
	if err != nil {
		return fmt.Errorf("%s does not start: %w", name, err)
	}
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		now, err := pods.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		// A pod that was rejected has no containers' states, as a simulated kubelet may have given it in between.
		now.Status = corev1.PodStatus{
			Phase: corev1.PodFailed, Reason: rejections[number%len(rejections)], Message: "Pod was rejected: so a stranger says",
			QOSClass: now.Status.QOSClass, Conditions: now.Status.Conditions,
		}
		_, err = pods.UpdateStatus(ctx, now, metav1.UpdateOptions{})
		return err
	})
}

// metrics is what the operator tells Prometheus.
func (r *FaultRun) metrics(ctx context.Context) (string, error) {
	pid, err := readPID(r.pidFile)
	if err != nil {
		return "", err
	}
	return metricsOf(ctx, pid)
}

// metricsOf reads /metrics of the process's listener that has it.
func metricsOf(ctx context.Context, pid int) (string, error) {
	addresses, err := listeners(pid)
	if err != nil {
		return "", err
	}
	url, err := findPath(ctx, addresses, "/metrics")
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Timeout: playerTimeout, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = errors.New(url + " answered " + response.Status)
	}
	return string(text), err
}

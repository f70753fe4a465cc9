package main

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

const (
	driverWorkers  = 16
	selectorLabel  = "spark-app-selector" // Spark's own label: id of the application
	executorLabel  = "spark-exec-id"      // Spark's own label: number of the executor
	propertiesKey  = "spark.properties"
	labelProperty  = "spark.kubernetes.executor.label."
	deleteProperty = "spark.kubernetes.executor.deleteOnTermination"
)

// FakeDrivers plays every driver: it creates the executors, and ends when they have run for a while. Spark's
// KubernetesClusterSchedulerBackend deletes the executors at the end, if deleteOnTermination is not false; only then does
// the driver's JVM exit.
type FakeDrivers struct {
	core     kubernetes.Interface
	scenario Scenario
	journal  *Journal
	mutex    sync.Mutex
	drivers  map[string]*fakeDriver // by namespace and spark-app-selector
	tasks    chan func(context.Context)
}

type fakeDriver struct {
	pod       *corev1.Pod
	keep      bool // executors end by themselves and stay
	executors map[types.UID]string
	finishing bool
}

func newFakeDrivers(core kubernetes.Interface, scenario Scenario, journal *Journal) *FakeDrivers {
	return &FakeDrivers{
		core:     core,
		scenario: scenario,
		journal:  journal,
		drivers:  map[string]*fakeDriver{},
		tasks:    make(chan func(context.Context), 2*scenario.Applications),
	}
}

func (f *FakeDrivers) work(ctx context.Context) {
	for range driverWorkers {
		go func() {
			for {
				select {
				case task := <-f.tasks:
					task(ctx)
				case <-ctx.Done():
					return
				}
			}
		}()
	}
}

// seen reacts to a pod as it is now. It does not block: it runs in the informer's goroutine.
func (f *FakeDrivers) seen(pod *corev1.Pod) {
	if pod.Status.Phase != corev1.PodRunning || pod.DeletionTimestamp != nil {
		return
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	key := pod.Namespace + "/" + pod.Labels[selectorLabel]
	driver := f.drivers[key]
	switch {
	case pod.Labels[roleLabel] == "driver" && driver == nil:
		driver = &fakeDriver{pod: pod, executors: map[types.UID]string{}}
		f.drivers[key] = driver
		f.tasks <- func(ctx context.Context) { f.begin(ctx, driver) }
	case pod.Labels[roleLabel] == "executor" && driver != nil:
		driver.executors[pod.UID] = pod.Name
		f.endWhenComplete(driver)
	}
}

// endWhenComplete is called with the mutex held.
func (f *FakeDrivers) endWhenComplete(driver *fakeDriver) {
	if driver.finishing || len(driver.executors) < f.scenario.Executors {
		return
	}
	driver.finishing = true
	time.AfterFunc(f.scenario.Work, func() { f.tasks <- func(ctx context.Context) { f.end(ctx, driver) } })
}

func (f *FakeDrivers) begin(ctx context.Context, driver *fakeDriver) {
	properties, err := readProperties(ctx, f.core, driver.pod)
	if err != nil {
		f.journal.failed(err)
		return
	}
	f.mutex.Lock()
	driver.keep = properties[deleteProperty] == "false"
	f.endWhenComplete(driver) // a driver without executors
	f.mutex.Unlock()
	for id := 1; id <= f.scenario.Executors; id++ {
		if _, err := f.core.CoreV1().Pods(driver.pod.Namespace).Create(ctx, executor(driver.pod, properties, id), metav1.CreateOptions{}); err != nil {
			f.journal.failed(fmt.Errorf("creating an executor: %w", err))
		}
	}
}

// readProperties reads the configuration from the ConfigMap that is mounted in the driver, as the driver would.
func readProperties(ctx context.Context, core kubernetes.Interface, driver *corev1.Pod) (map[string]string, error) {
	for _, volume := range driver.Spec.Volumes {
		if volume.ConfigMap == nil {
			continue
		}
		found, err := core.CoreV1().ConfigMaps(driver.Namespace).Get(ctx, volume.ConfigMap.Name, metav1.GetOptions{})
		if err != nil {
			return nil, fmt.Errorf("reading a driver's configuration: %w", err)
		}
		if text, ok := found.Data[propertiesKey]; ok {
			return parseProperties(text), nil
		}
	}
	return nil, fmt.Errorf("a driver has no volume of a ConfigMap with %s", propertiesKey)
}

// parseProperties reads "key=value" lines. Limit: no escapes and no continued lines; labels need none.
func parseProperties(text string) map[string]string {
	properties := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(key, "#") {
			properties[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return properties
}

func (f *FakeDrivers) end(ctx context.Context, driver *fakeDriver) {
	pods := f.core.CoreV1().Pods(driver.pod.Namespace)
	for _, name := range driver.executors {
		var err error
		if driver.keep {
			err = f.succeed(ctx, driver.pod.Namespace, name)
		} else {
			err = pods.Delete(ctx, name, metav1.DeleteOptions{})
		}
		if err != nil && !apierrors.IsNotFound(err) {
			f.journal.failed(fmt.Errorf("ending an executor: %w", err))
		}
	}
	if err := f.succeed(ctx, driver.pod.Namespace, driver.pod.Name); err != nil {
		f.journal.failed(fmt.Errorf("ending a driver: %w", err))
	}
}

// succeed writes what a kubelet writes when the only container has exited with 0. Others write pods too: the node
// controller, when a busy machine renews the lease of a simulated node too late.
func (f *FakeDrivers) succeed(ctx context.Context, namespace, name string) error {
	return retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		pod, err := f.core.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		terminate(&pod.Status, metav1.Now(), Exit{Code: 0, Reason: "Completed"})
		_, err = f.core.CoreV1().Pods(namespace).UpdateStatus(ctx, pod, metav1.UpdateOptions{})
		return err
	})
}

// Exit is how a container ended.
type Exit struct {
	Code   int32
	Reason string // as the container runtime names it
}

// terminate changes a pod's status to what a kubelet writes when all containers have ended.
func terminate(status *corev1.PodStatus, now metav1.Time, exit Exit) {
	status.Phase = corev1.PodSucceeded
	if exit.Code != 0 {
		status.Phase = corev1.PodFailed
	}
	for i := range status.ContainerStatuses {
		container := &status.ContainerStatuses[i]
		started := now
		if container.State.Running != nil {
			started = container.State.Running.StartedAt
		}
		container.Ready = false
		container.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: exit.Code, Reason: exit.Reason, StartedAt: started, FinishedAt: now,
		}}
	}
	for i := range status.Conditions {
		if condition := &status.Conditions[i]; condition.Type == corev1.PodReady || condition.Type == corev1.ContainersReady {
			condition.Status, condition.Reason = corev1.ConditionFalse, "PodCompleted"
		}
	}
}

// executor is a pod of about the size of Spark's own: what an operator keeps of pods is part of the measurement.
func executor(driver *corev1.Pod, properties map[string]string, id int) *corev1.Pod {
	labels := map[string]string{}
	for key, value := range properties {
		if label, found := strings.CutPrefix(key, labelProperty); found {
			labels[label] = value
		}
	}
	maps.Copy(labels, map[string]string{
		roleLabel:                       "executor",
		executorLabel:                   strconv.Itoa(id),
		selectorLabel:                   driver.Labels[selectorLabel],
		"spark-app-name":                driver.Labels["spark-app-name"],
		"spark-exec-resourceprofile-id": "0",
	})
	truth := true
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:   fmt.Sprintf("%s-exec-%d", driver.Name, id),
			Labels: labels,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "v1", Kind: "Pod", Name: driver.Name, UID: driver.UID, Controller: &truth,
			}},
		},
		Spec: corev1.PodSpec{
			RestartPolicy:      corev1.RestartPolicyNever,
			ServiceAccountName: driver.Spec.ServiceAccountName,
			Containers:         []corev1.Container{executorContainer(driver, id)},
			Volumes: []corev1.Volume{
				{Name: "spark-local-dir-1", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			},
		},
	}
}

func executorContainer(driver *corev1.Pod, id int) corev1.Container {
	memory := resource.MustParse("896Mi")
	return corev1.Container{
		Name:  "spark-kubernetes-executor",
		Image: driver.Spec.Containers[0].Image,
		Args:  []string{"executor"},
		Env: []corev1.EnvVar{
			{Name: "SPARK_USER", Value: "spark"},
			{Name: "SPARK_DRIVER_URL", Value: fmt.Sprintf("spark://CoarseGrainedScheduler@%s-svc.%s.svc:7078", driver.Name, driver.Namespace)},
			{Name: "SPARK_EXECUTOR_CORES", Value: "1"},
			{Name: "SPARK_EXECUTOR_MEMORY", Value: "512m"},
			{Name: "SPARK_APPLICATION_ID", Value: driver.Labels[selectorLabel]},
			{Name: "SPARK_CONF_DIR", Value: "/opt/spark/conf"},
			{Name: "SPARK_EXECUTOR_ID", Value: strconv.Itoa(id)},
			{Name: "SPARK_RESOURCE_PROFILE_ID", Value: "0"},
			{Name: "SPARK_JAVA_OPT_0", Value: "-Dspark.driver.port=7078"},
			{Name: "SPARK_JAVA_OPT_1", Value: "-Dspark.driver.blockManager.port=7079"},
			{Name: "SPARK_EXECUTOR_POD_IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "status.podIP"}}},
			{Name: "SPARK_EXECUTOR_POD_NAME", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
			{Name: "SPARK_LOCAL_DIRS", Value: "/var/data/spark-local"},
		},
		Ports:        []corev1.ContainerPort{{Name: "blockmanager", ContainerPort: 7079}},
		VolumeMounts: []corev1.VolumeMount{{Name: "spark-local-dir-1", MountPath: "/var/data/spark-local"}},
		Resources: corev1.ResourceRequirements{
			Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1"), corev1.ResourceMemory: memory},
			Limits:   corev1.ResourceList{corev1.ResourceMemory: memory},
		},
	}
}

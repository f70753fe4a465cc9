package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/component-base/featuregate"
	kubeletconfigv1beta1 "k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor"
	"k8s.io/utils/cpuset"
)

// settings are the kubelet's as its start-up code leaves them for the container manager.
type settings struct {
	config       *config.KubeletConfiguration
	reservedCPUs cpuset.CPUSet
	// reservation is cm.GetNodeAllocatableReservation.
	reservation v1.ResourceList
	capacity    v1.ResourceList
}

// startError is a message with which the kubelet ends instead of starting.
type startError struct{ error }

// defaultGates are the feature gates as the kubelet has them before it reads its configuration.
var defaultGates = utilfeature.DefaultMutableFeatureGate.DeepCopy()

// setFeatureGates gives the kubelet's code the default gates with those of the case. The gates are global in it.
func setFeatureGates(gates map[string]bool) error {
	fresh := defaultGates
	if len(gates) > 0 {
		fresh = defaultGates.DeepCopy()
	}
	// Set before an error is returned: the gates of the last case must not stay.
	utilfeature.DefaultMutableFeatureGate = fresh
	utilfeature.DefaultFeatureGate = featuregate.FeatureGate(fresh)
	if len(gates) == 0 {
		return nil
	}
	if err := fresh.SetFromMap(gates); err != nil {
		return startError{err}
	}
	return nil
}

// readSettings does what cmd/kubelet/app does with the configuration file: defaults, validation, CPU reservation.
func readSettings(spec Kubelet, machine *cadvisorMachine) (*settings, error) {
	versioned, err := versionedConfig(spec)
	if err != nil {
		return nil, err
	}
	kubeletScheme, _, err := scheme.NewSchemeAndCodecs()
	if err != nil {
		return nil, err
	}
	if err := setDefaults(kubeletScheme, versioned); err != nil {
		return nil, err
	}
	s := &settings{config: &config.KubeletConfiguration{}, capacity: cadvisor.CapacityFromMachineInfo(machine)}
	if err := kubeletScheme.Convert(versioned, s.config, nil); err != nil {
		return nil, err
	}
	if err := setFeatureGates(spec.FeatureGates); err != nil {
		return nil, err
	}
	if err := validation.ValidateKubeletConfiguration(s.config, utilfeature.DefaultFeatureGate); err != nil {
		return nil, startError{err}
	}
	if err := s.reserveCPUs(machine); err != nil {
		return nil, startError{err}
	}
	s.reservation = v1.ResourceList{}
	for name := range s.capacity {
		value := resource.NewQuantity(0, resource.DecimalSI)
		if text, ok := s.config.SystemReserved[string(name)]; ok {
			quantity, err := resource.ParseQuantity(text)
			if err != nil {
				return nil, err
			}
			value.Add(quantity)
		}
		if !value.IsZero() {
			s.reservation[name] = *value
		}
	}
	return s, nil
}

// setDefaults panics in the kubelet for a feature gate that is unknown or locked: then it does not start.
func setDefaults(kubeletScheme *kruntime.Scheme, versioned *kubeletconfigv1beta1.KubeletConfiguration) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = startError{fmt.Errorf("%v", cause)}
		}
	}()
	kubeletScheme.Default(versioned)
	return nil
}

// versionedConfig is the configuration file. The whole reservation is in systemReserved and there is no eviction
// threshold: kubeReserved, systemReserved and evictionHard matter only by their sum, and memory that is reserved per
// NUMA node must have that sum (validateReservedMemory).
func versionedConfig(spec Kubelet) (*kubeletconfigv1beta1.KubeletConfiguration, error) {
	anyCgroupVersion := false
	c := &kubeletconfigv1beta1.KubeletConfiguration{
		CPUManagerPolicy:             spec.CPUManagerPolicy,
		CPUManagerPolicyOptions:      spec.CPUManagerPolicyOptions,
		TopologyManagerPolicy:        spec.TopologyManagerPolicy,
		TopologyManagerPolicyOptions: spec.TopologyManagerPolicyOptions,
		TopologyManagerScope:         spec.TopologyManagerScope,
		MemoryManagerPolicy:          spec.MemoryManagerPolicy,
		ReservedSystemCPUs:           spec.ReservedCPUs,
		FeatureGates:                 spec.FeatureGates,
		SystemReserved:               map[string]string{},
		// The validation would look at the machine on which the oracle runs.
		FailCgroupV1: &anyCgroupVersion,
	}
	if spec.ReservedCPUs != "" && spec.ReservedCPUCount != nil {
		return nil, errors.New("kubelet: give reservedCpus or reservedCpuCount, not both")
	}
	if spec.ReservedCPUCount != nil {
		c.SystemReserved["cpu"] = strconv.FormatInt(*spec.ReservedCPUCount, 10)
	}
	limits := map[int32]v1.ResourceList{}
	sums := map[string]*resource.Quantity{}
	add := func(node, name string, bytes int64) error {
		if bytes == 0 {
			return nil // Nothing reserved; the kubelet's configuration has no entry for that.
		}
		id, err := strconv.ParseInt(node, 10, 32)
		if err != nil {
			return fmt.Errorf("kubelet: reserved memory: %q is not a NUMA node", node)
		}
		if limits[int32(id)] == nil {
			limits[int32(id)] = v1.ResourceList{}
		}
		quantity := resource.NewQuantity(bytes, resource.BinarySI)
		limits[int32(id)][v1.ResourceName(name)] = *quantity
		if sums[name] == nil {
			sums[name] = resource.NewQuantity(0, resource.BinarySI)
		}
		sums[name].Add(*quantity)
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(spec.ReservedMemory)) {
		if err := add(node, string(v1.ResourceMemory), spec.ReservedMemory[node]); err != nil {
			return nil, err
		}
	}
	for _, node := range slices.Sorted(maps.Keys(spec.ReservedHugepages)) {
		for size, bytes := range spec.ReservedHugepages[node] {
			if err := add(node, v1.ResourceHugePagesPrefix+size, bytes); err != nil {
				return nil, err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(limits)) {
		c.ReservedMemory = append(c.ReservedMemory,
			kubeletconfigv1beta1.MemoryReservation{NumaNode: id, Limits: limits[id]})
	}
	for name, sum := range sums {
		c.SystemReserved[name] = sum.String()
	}
	return c, nil
}

// reserveCPUs is getReservedCPUs of cmd/kubelet/app/server.go and what its run makes of the result; both are not
// exported.
func (s *settings) reserveCPUs(machine *cadvisorMachine) error {
	list := s.config.ReservedSystemCPUs
	if list == "" {
		return nil
	}
	topo, err := discover(machine)
	if err != nil {
		return fmt.Errorf("unable to discover CPU topology info: %s", err)
	}
	s.reservedCPUs, err = cpuset.Parse(list)
	if err != nil {
		return fmt.Errorf("unable to parse reserved-cpus list: %s", err)
	}
	if online := topo.CPUDetails.CPUs(); !s.reservedCPUs.IsSubsetOf(online) {
		return fmt.Errorf("reserved-cpus: %s is not a subset of online-cpus: %s", list, online.String())
	}
	if s.reservedCPUs.Size() > 0 {
		s.config.SystemReserved["cpu"] = strconv.Itoa(s.reservedCPUs.Size())
	}
	return nil
}

// validateNodeAllocatable is the container manager's method of that name, which is not exported.
func (s *settings) validateNodeAllocatable() error {
	message := ""
	for _, name := range slices.Sorted(maps.Keys(s.reservation)) {
		capacity, reserved := s.capacity[name], s.reservation[name]
		if capacity.Cmp(reserved) < 0 {
			message += fmt.Sprintf(" Resource %q has a reservation of %v but capacity of %v. Expected capacity >= reservation.",
				name, reserved, capacity)
		}
	}
	if message != "" {
		return errors.New("invalid Node Allocatable configuration." + message)
	}
	return nil
}

// Package autoscaler holds what `numaspark plan --for-autoscaler` prints to the code that decides where pods fit: the kube-scheduler's
// plugins, which the cluster autoscaler runs in its simulation, and Karpenter. It has tests only; README.md says what they leave out.
package autoscaler

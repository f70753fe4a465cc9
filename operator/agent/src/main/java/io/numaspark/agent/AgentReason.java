package io.numaspark.agent;

import io.numaspark.api.v1alpha1.StatusReason;

/**
 * Reasons of the conditions of a topology that are neither the kubelet's answer nor the kernel's
 * nor a knob's state.
 */
public enum AgentReason implements StatusReason {
  READ,
  HARDWARE_NOT_READ,
  NOT_ASKED,
  SPEC_REFUSED,
  KUBELET_NOT_UNDERSTOOD,
  APPLIED,
  WRITER_NOT_ANSWERING,
  NO_WRITER,
  SEVERAL_REASONS,
  SWEPT,
  NOT_SWEPT
}

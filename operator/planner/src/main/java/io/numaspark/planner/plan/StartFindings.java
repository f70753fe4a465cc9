package io.numaspark.planner.plan;

import io.numaspark.planner.admission.StartChecks;
import io.numaspark.planner.admission.StartProblem;
import io.numaspark.planner.topology.Machine;

/** What the kubelet does not start with, or the model does not cover: each is an error. */
final class StartFindings {
  private StartFindings() {}

  static void add(Machine machine, Findings findings) {
    for (StartProblem problem : StartChecks.problems(machine)) {
      findings.error(
          reason(problem.kind()),
          problem.field()
              + ": "
              + problem.message()
              + (problem.kind() == StartProblem.Kind.NOT_COVERED
                  ? ""
                  : ", so the kubelet does not start"),
          problem.remedy());
    }
  }

  private static Reason reason(StartProblem.Kind kind) {
    return switch (kind) {
      case OPTION_INVALID -> Reason.KUBELET_OPTION_INVALID;
      case FEATURE_GATE_OFF -> Reason.OPTION_NEEDS_FEATURE_GATE;
      case OPTIONS_CONFLICT -> Reason.CPU_MANAGER_OPTIONS_CONFLICT;
      case TOO_MANY_NUMA_NODES -> Reason.TOO_MANY_NUMA_NODES;
      case CPUS_NOT_RESERVED -> Reason.NO_CPU_RESERVATION;
      case RESERVED_CPUS_OFFLINE -> Reason.RESERVED_CPUS_OFFLINE;
      case MEMORY_NOT_RESERVED -> Reason.MEMORY_NOT_RESERVED;
      case RESERVED_MEMORY_INVALID -> Reason.RESERVED_MEMORY_INVALID;
      case RESERVED_MEMORY_TOO_LARGE -> Reason.RESERVED_MEMORY_TOO_LARGE;
      case NOT_COVERED -> Reason.KUBELET_NOT_COVERED;
    };
  }
}

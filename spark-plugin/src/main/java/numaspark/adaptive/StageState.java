package numaspark.adaptive;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import numaspark.adaptive.Messages.StageKey;
import numaspark.adaptive.StageLoop.Running;

/** One stage attempt on this executor: loop, gate, and the tasks inside. Guarded by the lock. */
final class StageState {
  final StageKey key;
  final StageLoop loop;
  final Gate gate;
  final double cpusPerTask;
  final long began = System.nanoTime();
  final double pressureBefore;
  private final Map<Long, TaskWatch> inside = new HashMap<>();

  StageState(StageKey key, StageLoop loop, Object lock, double cpusPerTask, double pressureBefore) {
    this.key = key;
    this.loop = loop;
    this.gate = new Gate(lock, loop::limit);
    this.cpusPerTask = cpusPerTask;
    this.pressureBefore = pressureBefore;
  }

  void put(long task, TaskWatch watch) {
    inside.put(task, watch);
    loop.begins(new Running(task, watch.flowing()));
  }

  TaskWatch remove(long task) {
    return inside.remove(task);
  }

  /** What the tasks inside do now. */
  List<Running> look() {
    return inside.entrySet().stream()
        .map(entry -> new Running(entry.getKey(), entry.getValue().flowing()))
        .toList();
  }
}

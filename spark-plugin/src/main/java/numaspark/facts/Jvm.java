package numaspark.facts;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** What the JVM counts of itself; another one in tests. */
interface Jvm {

  long nanoTime();

  /** CPU time of the process; negative when unknown. */
  long cpuNanos();

  /** Time that the JVM stood still for garbage collections. */
  long gcPauseMillis();

  static Jvm ofThisProcess() {
    return new Jvm() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public long cpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
            ? system.getProcessCpuTime()
            : -1;
      }

      /** Collectors that work beside the program have beans for their cycles: no standstill. */
      @Override
      public long gcPauseMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
            .filter(
                bean ->
                    !bean.getName().endsWith("Cycles") && !bean.getName().contains("Concurrent"))
            .mapToLong(GarbageCollectorMXBean::getCollectionTime)
            .filter(millis -> millis > 0)
            .sum();
      }
    };
  }
}

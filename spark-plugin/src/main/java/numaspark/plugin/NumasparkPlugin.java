package numaspark.plugin;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import numaspark.feature.DriverFeature;
import numaspark.feature.ExecutorFeature;
import numaspark.feature.PluginSettings;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskFailedReason;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code spark.plugins} names: puts the parts of numaspark into driver and executors. Each
 * part is on or off by its own properties; the shuffle manager is not a part of it, Spark makes
 * that by {@code spark.shuffle.manager}.
 */
public final class NumasparkPlugin implements SparkPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(NumasparkPlugin.class);

  @Override
  public DriverPlugin driverPlugin() {
    return new OnDriver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new OnExecutor();
  }

  private static final class OnDriver implements DriverPlugin {
    private final List<DriverFeature> features = new ArrayList<>();

    @Override
    public Map<String, String> init(SparkContext spark, PluginContext context) {
      features.addAll(Features.onDriver(spark, context, new PluginSettings(context.conf())));
      return Map.of();
    }

    @Override
    public void registerMetrics(String applicationId, PluginContext context) {
      features.forEach(feature -> feature.register(context.metricRegistry()));
    }

    @Override
    public Object receive(Object message) {
      if (message instanceof Serializable sent) {
        for (DriverFeature feature : features) {
          Serializable answer = feature.answer(sent);
          if (answer != null) {
            return answer;
          }
          if (feature.receive(sent)) {
            return null;
          }
        }
      }
      LOG.warn("No part of numaspark knows the message {}", message.getClass().getName());
      return null;
    }

    @Override
    public void shutdown() {
      features.forEach(DriverFeature::close);
    }
  }

  private static final class OnExecutor implements ExecutorPlugin {
    private final List<ExecutorFeature> features = new ArrayList<>();

    /** Spark has taken the context away from the thread when it says that the task has ended. */
    private final ThreadLocal<TaskContext> running = new ThreadLocal<>();

    @Override
    public void init(PluginContext context, Map<String, String> fromDriver) {
      features.addAll(Features.onExecutor(context, new PluginSettings(context.conf())));
    }

    @Override
    public void onTaskStart() {
      TaskContext task = TaskContext.get();
      if (task == null) {
        return;
      }
      running.set(task);
      features.forEach(feature -> feature.taskStarts(task));
    }

    @Override
    public void onTaskSucceeded() {
      end(true);
    }

    @Override
    public void onTaskFailed(TaskFailedReason reason) {
      end(false);
    }

    private void end(boolean succeeded) {
      TaskContext task = running.get();
      if (task != null) {
        running.remove();
        features.forEach(feature -> feature.taskEnds(task, succeeded));
      }
    }

    @Override
    public void shutdown() {
      features.forEach(ExecutorFeature::close);
    }
  }
}

package io.numaspark.render.text;

import io.numaspark.api.v1alpha1.ApiGroup;

/** Every label, executor attribute and container name that numaspark or Spark puts on objects. */
public final class Labels {
  public static final String APPLICATION = ApiGroup.NAME + "/application";
  public static final String ATTEMPT = ApiGroup.NAME + "/attempt";
  public static final String PROFILE = ApiGroup.NAME + "/profile";

  /** On a run of a ScheduledSparkApplication: the schedule's name. */
  public static final String SCHEDULE = ApiGroup.NAME + "/schedule";

  /** On the application and the Service of a SparkConnect: its name. */
  public static final String CONNECT = ApiGroup.NAME + "/connect";

  /**
   * On a namespace, or on an object in one: the profile that the executors of other operators get
   * there.
   */
  public static final String INJECT = ApiGroup.NAME + "/inject";

  /** The value by which an object stays as it is. */
  public static final String INJECT_NOT = "false";

  /**
   * On a namespace: whether its annotations are defaults of new applications. On an application or
   * a schedule: whether it gets them.
   */
  public static final String DEFAULTS = ApiGroup.NAME + "/defaults";

  /** The value by which a namespace is opted in. */
  public static final String DEFAULTS_ON = "true";

  /** The value by which an application stays as it is. */
  public static final String DEFAULTS_OFF = "false";

  /** Annotation of a profile: the trial that its executors' size rests on, with the result. */
  public static final String EVIDENCE = ApiGroup.NAME + "/evidence";

  /** On a run of a SparkTrial: the trial's name. */
  public static final String TRIAL = ApiGroup.NAME + "/trial";

  /** Annotation of a run of a SparkTrial: its arm. */
  public static final String TRIAL_ARM = ApiGroup.NAME + "/trial-arm";

  /** Annotation of a run of a schedule: the time of the schedule that it was created for. */
  public static final String SCHEDULED_TIME = ApiGroup.NAME + "/scheduled-time";

  /** Annotation of a pod: the profile whose slots one of its containers wants of the pinner. */
  public static final String PIN = ApiGroup.NAME + "/pin";

  /** Annotation of a pod: how many slots, all in one NUMA node; 1 without it. */
  public static final String PIN_SLOTS = ApiGroup.NAME + "/pin-slots";

  /** Annotation of a pod: how many CPUs of these slots; all without it. */
  public static final String PIN_CPUS = ApiGroup.NAME + "/pin-cpus";

  /** Annotation that the pinner writes on containers: no pod may have it. */
  public static final String PIN_MARK = ApiGroup.NAME + "/slot";

  /**
   * On a node: which agent runs there, {@link #AGENT_OBSERVE}, {@link #AGENT_ENFORCE}, {@link
   * #AGENT_PIN} or {@link #AGENT_ENFORCE_AND_PIN}.
   */
  public static final String AGENT = ApiGroup.NAME + "/agent";

  /** The agent that reads only. */
  public static final String AGENT_OBSERVE = "observe";

  /** The agent with the privileged writer beside it. */
  public static final String AGENT_ENFORCE = "enforce";

  /** The agent with the pinner beside it. */
  public static final String AGENT_PIN = "pin";

  /** The agent with both. */
  public static final String AGENT_ENFORCE_AND_PIN = "enforce-and-pin";

  public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  public static final String MANAGER = "numaspark";

  /** Spark's own labels, see the Constants of spark-kubernetes. */
  public static final String SPARK_APP_SELECTOR = "spark-app-selector";

  public static final String SPARK_APP_NAME = "spark-app-name";
  public static final String SPARK_ROLE = "spark-role";
  public static final String SPARK_EXECUTOR_ID = "spark-exec-id";
  public static final String SPARK_VERSION = "spark-version";
  public static final String ROLE_DRIVER = "driver";
  public static final String ROLE_EXECUTOR = "executor";

  /**
   * Attributes that a pinned executor tells the driver at registration, in the upper case that
   * Spark gives them.
   */
  public static final String ATTRIBUTE_CPUS = "NUMASPARK_CPUS_ALLOWED";

  public static final String ATTRIBUTE_MEMORY_NODES = "NUMASPARK_MEMS_ALLOWED";

  /** Name of the container that runs the driver, in Spark's own pods and in ours. */
  public static final String DRIVER_CONTAINER = "spark-kubernetes-driver";

  /** Name of the container that runs an executor. */
  public static final String EXECUTOR_CONTAINER = "spark-kubernetes-executor";

  private Labels() {}
}

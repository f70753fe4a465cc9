#!/usr/bin/env bash
# What Spark on Kubernetes expects of its image: "driver ARGUMENTS...", "executor", or any other command.
#
# SPARK_LAB_JAVA_OPTS  more options for an executor's JVM, before those that Spark gives (the later ones win); the
#                      lab sets it in pods that are emulated, for instance to -XX:TieredStopAtLevel=1
#
# No collector, heap limit or processor count is chosen here: these are the operator's business.
set -euo pipefail

SPARK_HOME=${SPARK_HOME:-/opt/spark}

# Any user may be asked for; Hadoop's login wants a name for it.
if ! getent passwd "$(id -u)" > /dev/null; then
  export HADOOP_USER_NAME=${SPARK_USER_NAME:-spark}
fi

# An executor's class path. The jars come first and in the order of make-class-archive.sh, so that the class archive
# fits; what the user puts before them (spark.executor.extraClassPath) is honoured, and then the archive does not.
executor_class_path() {
  local path
  path=$(printf '%s:' "$SPARK_HOME"/jars/*.jar)
  printf '%s' "${SPARK_CLASSPATH:+$SPARK_CLASSPATH:}${path%:}"
  printf ':%s' ${SPARK_EXTRA_CLASSPATH:+"$SPARK_EXTRA_CLASSPATH"} "${SPARK_CONF_DIR:-$SPARK_HOME/conf}" \
    ${HADOOP_CONF_DIR:+"$HADOOP_CONF_DIR"} ${SPARK_DIST_CLASSPATH:+"$SPARK_DIST_CLASSPATH"} "$PWD"
}

# SPARK_JAVA_OPT_0, SPARK_JAVA_OPT_1, ... in the order of their numbers; a value may hold blanks and line ends.
executor_java_options() {
  local name
  for name in $(compgen -v SPARK_JAVA_OPT_ | sort -t_ -k4 -n); do
    java_options+=("${!name}")
  done
}

case ${1:-} in
  driver)
    shift
    exec tini -s -- "$SPARK_HOME/bin/spark-submit" \
      --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS" \
      --conf "spark.executorEnv.SPARK_DRIVER_POD_IP=$SPARK_DRIVER_BIND_ADDRESS" \
      --deploy-mode client "$@"
    ;;
  executor)
    java_options=()
    executor_java_options
    read -ra lab_options <<< "${SPARK_LAB_JAVA_OPTS:-}"
    exec tini -s -- java -XX:SharedArchiveFile="$SPARK_HOME/spark.jsa" -Xshare:auto \
      ${lab_options[@]+"${lab_options[@]}"} ${java_options[@]+"${java_options[@]}"} \
      -Xms"$SPARK_EXECUTOR_MEMORY" -Xmx"$SPARK_EXECUTOR_MEMORY" -cp "$(executor_class_path)" \
      org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend \
      --driver-url "$SPARK_DRIVER_URL" --executor-id "$SPARK_EXECUTOR_ID" --cores "$SPARK_EXECUTOR_CORES" \
      --app-id "$SPARK_APPLICATION_ID" --hostname "$SPARK_EXECUTOR_POD_IP" \
      --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID" --podName "$SPARK_EXECUTOR_POD_NAME"
    ;;
  *)
    exec tini -s -- "$@"
    ;;
esac

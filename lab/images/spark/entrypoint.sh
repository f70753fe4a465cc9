#!/bin/bash
# Entry point of Spark on Kubernetes: `driver ARGS…` or `executor`, as the official image understands them. Differences:
# - the driver is one JVM: spark-submit would start a second one only to compose the command line;
# - the class path lists the jars one by one in sorted order, as the class data archive was made with (`jars/*` expands in the
#   order of the directory), and the configuration folder comes after them, because the archive needs the jars as a prefix;
# - SPARK_LAB_JAVA_OPTS may hold options for slow machines. They come first, so that what Spark gives wins.
# Collector, heap and everything else are chosen by Spark's settings alone.
set -euo pipefail

export SPARK_HOME=${SPARK_HOME:-/opt/spark}
conf_dir=${SPARK_CONF_DIR:-$SPARK_HOME/conf}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java

# Prints the value of property $1 in file $2 (the last one wins), as java.util.Properties reads it.
property() {
  local line value='' pattern decoded='' char
  pattern="^[[:space:]]*${1//./\\.}([[:space:]]*[=:][[:space:]]*|[[:space:]]+)(.*)$"
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line =~ $pattern ]]; then value=${BASH_REMATCH[2]}; fi
  done <"$2"
  while [[ $value == *\\* ]]; do
    decoded+=${value%%\\*}
    value=${value#*\\}
    case ${value:0:1} in
      t) decoded+=$'\t' ;;
      n) decoded+=$'\n' ;;
      r) decoded+=$'\r' ;;
      f) decoded+=$'\f' ;;
      u)
        printf -v char '%b' "\\u${value:1:4}"
        decoded+=$char
        value=${value:4}
        ;;
      *) decoded+=${value:0:1} ;;
    esac
    value=${value:1}
  done
  printf '%s' "$decoded$value"
}

# Appends the words of option string $2 to array $1; quotes and backslashes protect blanks, as in Spark's own option strings.
add_options() {
  local -n target=$1
  local words=()
  mapfile -d '' words < <(printf '%s' "$2" | xargs -r printf '%s\0')
  target+=("${words[@]}")
}

# Hadoop wants a name for the user, also for one that the security context of the pod made up.
if ! getent passwd "$(id -u)" >/dev/null && [[ -w /etc/passwd ]]; then
  echo "spark-user:x:$(id -u):$(id -g):anonymous user:$SPARK_HOME:/bin/false" >>/etc/passwd
fi

jars=("$SPARK_HOME"/jars/*.jar)
class_path=$(IFS=:; echo "${jars[*]}"):$conf_dir
if [[ -n ${HADOOP_CONF_DIR:-} ]]; then class_path+=:$HADOOP_CONF_DIR; fi
# spark.executor.extraClassPath arrives in SPARK_CLASSPATH and must come first. The JVM then starts without the archive.
if [[ -n ${SPARK_CLASSPATH:-} ]]; then class_path=$SPARK_CLASSPATH:$class_path; fi

options=()
if [[ -f $SPARK_HOME/spark.jsa ]]; then
  options+=(-Xshare:auto "-XX:SharedArchiveFile=$SPARK_HOME/spark.jsa" -Xlog:cds=error -Xlog:class+path=error)
fi
add_options options "${SPARK_LAB_JAVA_OPTS:-}"

case ${1:-} in
  driver)
    shift
    properties=$conf_dir/spark-defaults.conf
    settings=()
    arguments=("$@")
    for ((i = 0; i < ${#arguments[@]} - 1; i++)); do
      case ${arguments[i]} in
        --properties-file) properties=${arguments[i + 1]} ;;
        --conf | -c) settings+=("${arguments[i + 1]}") ;;
      esac
    done
    # Settings of the command line win over those of the file.
    setting() {
      local given
      for given in "${settings[@]}"; do
        if [[ $given == "$1="* ]]; then echo "${given#*=}"; return; fi
      done
      if [[ -f $properties ]]; then property "$1" "$properties"; fi
    }
    mapfile -t -O "${#options[@]}" options <"$SPARK_HOME/module-options"
    memory=$(setting spark.driver.memory)
    options+=("-Xmx${memory:-1g}")
    add_options options "$(setting spark.driver.defaultJavaOptions)"
    add_options options "$(setting spark.driver.extraJavaOptions)"
    extra=$(setting spark.driver.extraClassPath)
    if [[ -n $extra ]]; then class_path=$extra:$class_path; fi
    command=("$java" "${options[@]}" -cp "$class_path" org.apache.spark.deploy.SparkSubmit
      --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS"
      --conf "spark.executorEnv.SPARK_DRIVER_POD_IP=$SPARK_DRIVER_BIND_ADDRESS"
      --deploy-mode client "$@")
    ;;
  executor)
    shift
    # Every option has a variable of its own, numbered in the order of the command line.
    for ((i = 0; ; i++)); do
      name=SPARK_JAVA_OPT_$i
      [[ -n ${!name+given} ]] || break
      options+=("${!name}")
    done
    command=("$java" "${options[@]}" "-Xms$SPARK_EXECUTOR_MEMORY" "-Xmx$SPARK_EXECUTOR_MEMORY" -cp "$class_path:$PWD"
      org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBackend
      --driver-url "$SPARK_DRIVER_URL"
      --executor-id "$SPARK_EXECUTOR_ID"
      --cores "$SPARK_EXECUTOR_CORES"
      --app-id "$SPARK_APPLICATION_ID"
      --hostname "$SPARK_EXECUTOR_POD_IP"
      --resourceProfileId "$SPARK_RESOURCE_PROFILE_ID"
      --podName "$SPARK_EXECUTOR_POD_NAME")
    ;;
  *) command=("$@") ;;
esac
exec tini -s -- "${command[@]}"

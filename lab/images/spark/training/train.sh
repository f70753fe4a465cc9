#!/bin/bash
# Makes $SPARK_HOME/spark.jsa, a class data archive of a driver and an executor on Kubernetes. Both are run once through the
# image's entry point, with a stand-in for the API server on loopback, and list the classes they load. Runs in the image build.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
cd "$work"
pids=()
fail() {
  echo "class data training: $1" >&2
  tail -n 40 ./*.log >&2
  exit 1
}
cleanup() {
  kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

free_port() {
  local port
  for port in $(shuf -i 20000-29999 -n 50); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
}
wait_for_text() { # SECONDS PATTERN: in the driver's log
  local end=$((SECONDS + $1))
  until grep -q "$2" driver.log 2>/dev/null; do
    if ((SECONDS >= end)); then fail "no '$2' in the driver's log after $1 s"; fi
    if ! kill -0 "$driver" 2>/dev/null; then fail "the driver ended early"; fi
    sleep 0.5
  done
}
api_port=$(free_port)
driver_port=$(free_port)

keytool -genkeypair -keyalg RSA -keysize 2048 -dname CN=localhost -ext san=ip:127.0.0.1,dns:localhost \
  -keystore api.p12 -storetype PKCS12 -storepass training >keytool.log 2>&1
keytool -exportcert -rfc -keystore api.p12 -storepass training -file ca.crt >>keytool.log 2>&1
java -cp "$here/classes" FakeApiServer "$api_port" api.p12 training >api.log 2>&1 &
pids+=($!)

cat >spark.properties <<PROPERTIES
spark.master=k8s\://https\://127.0.0.1\:$api_port
spark.kubernetes.authenticate.caCertFile=$work/ca.crt
spark.kubernetes.authenticate.oauthToken=training
spark.kubernetes.container.image=none
spark.kubernetes.namespace=training
spark.executor.instances=2
spark.executor.cores=1
spark.executor.memory=512m
spark.driver.memory=600m
# A busy machine answers later than within the ten seconds of the default.
spark.kubernetes.driver.requestTimeout=120000
spark.kubernetes.driver.connectionTimeout=120000
spark.driver.host=127.0.0.1
spark.driver.port=$driver_port
spark.scheduler.minRegisteredResourcesRatio=1.0
spark.scheduler.maxRegisteredResourcesWaitingTime=600s
spark.kubernetes.executor.missingPodDetectDelta=300s
spark.driver.extraJavaOptions=-XX\:DumpLoadedClassList\=$work/driver.classes "-Dtraining.words=two words"
PROPERTIES
export SPARK_LOCAL_IP=127.0.0.1 SPARK_LOCAL_DIRS=$work
SPARK_DRIVER_BIND_ADDRESS=127.0.0.1 /opt/entrypoint.sh driver --properties-file "$work/spark.properties" \
  --class io.numaspark.examples.PinnedPi local:///opt/spark/examples/jars/numaspark-examples.jar 4 >driver.log 2>&1 &
driver=$!
pids+=("$driver")
wait_for_text 300 'Successfully started service .sparkDriver.'

mapfile -t module_options <"$SPARK_HOME/module-options"
for id in 1 2; do
  (
    for i in "${!module_options[@]}"; do export "SPARK_JAVA_OPT_$i=${module_options[i]}"; done
    export "SPARK_JAVA_OPT_${#module_options[@]}=-XX:DumpLoadedClassList=$work/executor$id.classes"
    export SPARK_DRIVER_URL="spark://CoarseGrainedScheduler@127.0.0.1:$driver_port" SPARK_EXECUTOR_ID=$id SPARK_EXECUTOR_CORES=1
    export SPARK_EXECUTOR_MEMORY=512m SPARK_APPLICATION_ID=training SPARK_EXECUTOR_POD_IP=127.0.0.1
    export SPARK_RESOURCE_PROFILE_ID=0 SPARK_EXECUTOR_POD_NAME=training-$id
    exec /opt/entrypoint.sh executor
  ) >"executor$id.log" 2>&1 &
  pids+=($!)
done
wait_for_text 600 '^EXECUTOR id=2 '
for _ in {1..60}; do
  if ! kill -0 "$driver" 2>/dev/null; then break; fi
  sleep 0.5
done
grep -E '^(EXECUTOR|Pi)' driver.log
kill "${pids[@]}" 2>/dev/null || true
wait || true

# The first lines of a class list name its options: the lists are joined after the driver's header.
{
  cat driver.classes
  grep -hv '^#' executor1.classes executor2.classes | grep -v '@lambda' || true
} | awk '/^#/ || !seen[$0]++' >all.classes
class_path=$(IFS=:; jars=("$SPARK_HOME"/jars/*.jar); echo "${jars[*]}")
java -Xshare:dump -XX:SharedClassListFile=all.classes -XX:SharedArchiveFile="$SPARK_HOME/spark.jsa" "${module_options[@]}" \
  -Xlog:cds=error -Xlog:cds+heap=error -cp "$class_path" >dump.log 2>&1 || fail 'the archive could not be made'
[[ -s $SPARK_HOME/spark.jsa ]] || fail 'the archive is missing'
echo "$(wc -l <all.classes) classes, $(($(stat -c %s "$SPARK_HOME/spark.jsa") >> 20)) MiB"

#!/usr/bin/env bash
# Makes /opt/spark/spark.jsa: the classes that an executor loads, parsed and laid out once. The JVM maps the archive
# if class path and jars are what they were here, and silently goes without it if not; it is not bound to a collector.
set -euo pipefail

cd /tmp
export SPARK_HOME=/opt/spark SPARK_LOCAL_IP=127.0.0.1 SPARK_SCALA_VERSION=2.13 HOME=/tmp
# Sorted: the order must be the one that entrypoint.sh uses, and that of "jars/*" is the directory's.
class_path=$(printf '%s:' "$SPARK_HOME"/jars/*.jar)
class_path=${class_path%:}

# The training run: a cluster of one executor on this machine, whose loaded classes are listed.
"$SPARK_HOME/bin/spark-submit" --master 'local-cluster[1,2,512]' \
  --conf spark.executor.memory=512m --conf spark.ui.enabled=false \
  --conf "spark.executor.extraJavaOptions=-XX:DumpLoadedClassList=/tmp/executor.classes" \
  --class io.numaspark.examples.PinnedPi "$SPARK_HOME/examples/jars/numaspark-examples.jar" 4
# What differs in a pod from an executor of the training cluster.
echo org/apache/spark/scheduler/cluster/k8s/KubernetesExecutorBackend >> /tmp/executor.classes
echo 'org/apache/spark/scheduler/cluster/k8s/KubernetesExecutorBackend$' >> /tmp/executor.classes

java -Xshare:dump -XX:SharedClassListFile=/tmp/executor.classes -XX:SharedArchiveFile="$SPARK_HOME/spark.jsa" \
  -Xlog:cds=error,cds+class=off -Xlog:disable -Xlog:all=error:stderr -cp "$class_path"
test -s "$SPARK_HOME/spark.jsa"
rm -rf /tmp/* "$SPARK_HOME/work"

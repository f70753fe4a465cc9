#!/usr/bin/env bash
# Runs the plugin's tests inside the jars of released Sparks, instead of the Spark it is compiled against.
# Usage: spark-plugin/spark-matrix.sh [--tests PATTERN] [VERSION...]
#   VERSION          one that `lab/lab spark` knows; default all of them
#   --tests PATTERN  only classes whose full name the pattern matches anywhere, a regular expression of grep -E
# The module is compiled once, against one Spark, and its classes run everywhere. Each *IT runs in a JVM of its own, all *Test in one.
# Reports and output: spark-plugin/target/spark-VERSION-reports. Downloads about 400 MB for each Spark that is not in the cache yet.
# JAVA_HOME says which JVM. Spark 3.5 needs JDK 17 and is left out, with a line that says so, on a later one.
set -euo pipefail
cd "$(dirname "$0")"

readonly LAB=../lab/lab
readonly LIMIT_SECONDS=1800 # for one class

pattern=.
versions=()
while [ $# -gt 0 ]; do
  case $1 in
    --tests) pattern=${2:?--tests: give a pattern} && shift ;;
    -*) sed -n '3,8s/^# //p' "$0" >&2 && exit 2 ;;
    *) versions+=("$1") ;;
  esac
  shift
done
if [ ${#versions[@]} -eq 0 ]; then
  mapfile -t versions < <(find ../oracles/spark -name 'spark-*.txt' -printf '%f\n' | sed 's/^spark-//; s/\.txt$//' | sort -rV)
fi

java=${JAVA_HOME:+$JAVA_HOME/bin/}java
jdk=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.version = //p')

../mvnw --batch-mode --quiet -f .. -pl spark-plugin test-compile \
  dependency:copy@matrix-launcher dependency:copy-dependencies@matrix-libraries

# classes SUFFIX: names of the test classes with that suffix.
classes() {
  find target/test-classes -name "*$1.class" ! -name '*$*' -printf '%P\n' | sed 's/\.class$//; s,/,.,g' | grep -E -- "$pattern" | sort || true
}

# made_up_report NAME REASON: a report for a JVM that left none, so that nobody takes its silence for success.
made_up_report() {
  printf '<testsuite name="%s" tests="1" skipped="0" failures="0" errors="1"><testcase name="%s"><error message="%s"/></testcase></testsuite>\n' \
    "$1" "$1" "$2"
}

# run_classes NAME CLASS...: one JVM. Uses: home, libraries, options, reports.
run_classes() {
  local name=$1 status=0 selected=() class
  shift
  for class in "$@"; do selected+=("--select-class=$class"); done
  SPARK_HOME=$home SPARK_SCALA_VERSION=$scala SPARK_LOCAL_IP=127.0.0.1 \
    timeout --kill-after=10 "$LIMIT_SECONDS" "$java" "${options[@]}" -Xmx2g "-Drepository.root=$(cd .. && pwd)" \
    -cp "$PWD/target/classes:$PWD/target/test-classes:$PWD/target/matrix/lib/*:$home/jars/*" org.junit.platform.console.ConsoleLauncher execute \
    "${selected[@]}" --include-classname '.*' --disable-banner --details=tree "--reports-dir=$reports/$name.xml.d" \
    > "$reports/$name.log" 2>&1 < /dev/null || status=$?
  # Engines without a test leave a report too.
  if grep -q '<testsuite .* tests="[1-9]' "$reports/$name.xml.d"/TEST-*.xml 2> /dev/null; then
    for report in "$reports/$name.xml.d"/TEST-*.xml; do
      mv "$report" "$reports/TEST-$name-$(basename "$report" .xml | sed 's/^TEST-//').xml"
    done
  else
    made_up_report "$name" "the JVM ended with status $status and without a report" > "$reports/TEST-$name.xml"
    status=1
  fi
  rm -rf "$reports/$name.xml.d"
  if [ "$status" -ne 0 ]; then
    echo "spark-matrix: Spark $version: $name failed; the end of $PWD/$reports/$name.log:"
    tail -n 60 "$reports/$name.log" | cut -c 1-300
  fi
}

# total ATTRIBUTE: its sum over the reports of this version.
total() {
  cat "$reports"/TEST-*.xml | grep -o '<testsuite [^>]*>' | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p" | awk '{ sum += $1 } END { print sum + 0 }'
}

failed_versions=0
for version in "${versions[@]}"; do
  if [[ $version == 3.* && ! $jdk =~ ^17\. ]]; then
    echo "Spark $version: left out, it needs JDK 17 and this is $jdk"
    continue
  fi
  distribution=$("$LAB" spark "$version")
  # Its own folder with the distribution's jars, because a Spark writes work files into its home.
  home=$PWD/target/matrix/spark-$version
  reports=target/spark-$version-reports
  rm -rf "$home" "$reports"
  mkdir -p "$home" "$reports"
  ln -s "$distribution/jars" "$home/jars"
  scala=$(basename "$home"/jars/scala-library-*.jar .jar | sed 's/scala-library-\([0-9]*\.[0-9]*\).*/\1/')
  mapfile -t options < <("$java" -cp "$home/jars/*" ../lab/images/spark/training/ModuleOptions.java)

  SECONDS=0
  mapfile -t tests < <(classes Test)
  [ ${#tests[@]} -eq 0 ] || run_classes UnitTests "${tests[@]}"
  mapfile -t tests < <(classes IT)
  for test in "${tests[@]}"; do
    run_classes "$test" "$test"
  done
  if ! compgen -G "$reports/TEST-*.xml" > /dev/null; then
    echo "spark-matrix: no test class matches '$pattern'" >&2
    exit 2
  fi
  failed=$(($(total failures) + $(total errors)))
  skipped=$(total skipped)
  echo "Spark $version (Scala $scala, JDK $jdk): $(($(total tests) - failed - skipped)) passed, $failed failed, $skipped skipped, $SECONDS s"
  [ "$failed" -eq 0 ] || failed_versions=$((failed_versions + 1))
done
[ "$failed_versions" -eq 0 ]

#!/usr/bin/env bash
# Checks that Maven holds artifacts to .mvn/checksums, or writes these anew: see usage below, and docs/decisions/0033.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."

usage() {
  cat << 'TEXT'
usage: checksums.sh [--update]

Without an option, after a build: a plugin that was changed, and one that is not listed, end a build before they run.
  --update   writes .mvn/checksums from what Maven Central has, with an empty local repository: never from the one of this machine,
             which is what the checksums are to hold (downloads about 400 MB, minutes)
TEXT
}

fail() { echo "checksums: $*" >&2 && exit 1; }

# update FOLDER: everything that a target of the Makefile or a script asks Maven for, in copies of the sources. Surefire looks for
# what runs the tests when there is one to run.
update() {
  local recorded=$1/checkout/.mvn/checksums list=.mvn/checksums/checksums.sha256
  local record=(-Daether.artifactResolver.postProcessor.trustedChecksums.record=true "-Dmaven.repo.local=$1/repository")
  mkdir -p "$1/checkout"
  git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents --target-directory "$1/checkout"
  rm -f "$recorded/checksums.sha256"
  (
    cd "$1/checkout"
    ./mvnw --batch-mode --quiet "${record[@]}" -Psbom -Dtest=CpuSetTest -Dsurefire.failIfNoSpecifiedTests=false \
      -DskipITs clean install:help deploy:help verify
    ./mvnw --batch-mode --quiet "${record[@]}" -pl spark-plugin test-compile \
      dependency:copy@matrix-launcher dependency:copy-dependencies@matrix-libraries dependency:build-classpath
  ) > "$1/log" 2>&1 || { tail -n 40 "$1/log" && fail "the build that records checksums failed"; }
  grep -q surefire-junit-platform "$recorded/checksums.sha256" || fail "no test ran, so that what runs tests was not recorded"
  {
    echo "# What Maven may use, by SHA-256: dependencies, plugins, and their POMs. Written by 'make checksums'."
    grep -v '^#' "$recorded/checksums.sha256" | LC_ALL=C sort -k 2
  } > "$1/list"
  [ ! -f "$list" ] || git --no-pager diff --no-index --stat "$list" "$1/list" || true
  mv "$1/list" "$list"
  echo "checksums: $list names $(grep -vc '^#' "$list") files"
}

# A project of one plugin, in FOLDER, with the settings and the list of this one, and a local repository of its own in front of the
# machine's, which is read only.
project() { # FOLDER
  version=$(sed -n 's:.*<maven-clean-plugin.version>\(.*\)</.*:\1:p' pom.xml)
  mkdir -p "$1/project/.mvn/checksums" "$1/head"
  cp .mvn/maven.config "$1/project/.mvn/"
  cp .mvn/checksums/checksums.sha256 "$1/project/.mvn/checksums/"
  cat > "$1/project/pom.xml" << TEXT
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.numaspark.test</groupId>
  <artifactId>one-plugin</artifactId>
  <version>1-SNAPSHOT</version>
  <packaging>pom</packaging>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-clean-plugin</artifactId>
        <version>$version</version>
      </plugin>
    </plugins>
  </build>
</project>
TEXT
}

refused() { # FOLDER WORDS REMEDY: the plugin is asked to delete target/, and does not get to it
  local said
  mkdir "$1/project/target"
  ! said=$(MAVEN_OPTS='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' ./mvnw --batch-mode --file "$1/project" "-Dmaven.repo.local=$1/head" \
    "-Dmaven.repo.local.tail=${HOME:-/root}/.m2/repository" clean 2>&1) || fail "not refused: $2"
  grep -q "$2.*maven-clean-plugin:jar\|maven-clean-plugin:jar.*$2" <<< "$said" || fail "refused with other words than '$2': $said"
  [[ $said == *"$3"* ]] || fail "refused without the remedy '$3': $said"
  [ -d "$1/project/target" ] || fail "refused, but the plugin has run"
}

check() { # FOLDER
  local calls version jar=org/apache/maven/plugins/maven-clean-plugin
  calls=$(git grep -nE '(^|[^-./[:alnum:]_])m[v]n ' -- Makefile .ci '*.sh' lab/lab || true)
  [ -z "$calls" ] || fail "call ./mvnw, which holds artifacts to their checksums, instead of mvn:"$'\n'"$calls"

  project "$1/changed"
  jar+=/$version/maven-clean-plugin-$version.jar
  mkdir -p "$(dirname "$1/changed/head/$jar")"
  echo changed > "$1/changed/head/$jar"
  refused "$1/changed" 'trusted checksum mismatch' 'Delete its folder'

  project "$1/unlisted"
  sed -i "\\,  $jar\$,d" "$1/unlisted/project/.mvn/checksums/checksums.sha256"
  refused "$1/unlisted" 'Missing from' "run 'make checksums'"
  echo "checksums: $(grep -vc '^#' .mvn/checksums/checksums.sha256) files are listed; a changed plugin and an unlisted one do not run"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case ${1:-} in
  --update) update "$folder" ;;
  '') check "$folder" ;;
  *) usage >&2 && exit 2 ;;
esac

# shellcheck shell=bash
# Container images without a registry: buildah builds them from the Dockerfiles of lab/images, and they are kept in the
# cache as OCI archives, to be imported by ctr. The key of an archive is the hash of everything that goes into it.

LAB_IMAGES=$REPO/lab/images
IMAGE_PREFIX=docker.io/numaspark # what containerd makes of "numaspark/NAME:TAG" in a pod
OPERATOR_APP=$REPO/operator/controller/target/app
COMMAND_APP=$REPO/operator/cli/target/app
AGENT_APP=$REPO/agent/target/app
PLUGIN_APP=$REPO/spark-plugin/target/app
BASE_IMAGE_PACKAGES=openjdk-17-jre-headless,tini,procps
JDK_IMAGE_PACKAGES=openjdk-17-jdk-headless
RUNTIME_IMAGE_PACKAGES='base-files,libc6,libc-bin,libgcc-s1,libstdc++6,netbase,tzdata,zlib1g'
SPARK_REQUIREMENTS=$REPO/oracles/spark # spark-VERSION.txt: the Sparks that there are, with the hash of each
SPARK_DEFAULT_VERSION=4.3.0
: "${LAB_SPARK_VERSIONS:=$SPARK_DEFAULT_VERSION}" # those that both nodes have from the start

# image_archives native|numa: the archives that this node needs to start pods, a path a line; builds what is missing.
image_archives() {
  local version
  case ${1:-} in
    native | numa) ;;
    *) die "image_archives: there is no kind of node '${1:-}'" "native or numa" ;;
  esac
  images_require
  pause_image
  busybox_image
  for version in $LAB_SPARK_VERSIONS; do spark_image "$version"; done
}

images_require() {
  require_root
  ensure_packages buildah mmdebstrap uidmap
}

# The storage of buildah holds the base image, which the others share; finished images live on as archives only.
buildah_lab() {
  local driver=overlay
  # overlayfs does not stack on the overlayfs of a container.
  [ "$(stat -f -c %T "$NUMASPARK_CACHE")" != overlayfs ] || driver=vfs
  buildah --root "$NUMASPARK_CACHE/buildah/root" --runroot "$NUMASPARK_CACHE/buildah/run" --storage-driver "$driver" "$@"
}

# The storage mounts itself on itself, so that the cache could not be deleted.
buildah_release() { umount -l "$NUMASPARK_CACHE/buildah/root/overlay" 2> /dev/null || true; }

image_log() { # LOG CMD...: without output unless CMD fails
  local log=$NUMASPARK_CACHE/logs/$1.log
  mkdir -p "$NUMASPARK_CACHE/logs"
  shift
  "$@" > "$log" 2>&1 || {
    show_log "$log"
    die "building an image failed: $1" "see $log"
  }
}

# build_archive FOLDER NAME:TAG CONTEXT [BUILD OPTION...]: FOLDER/NAME.tar
build_archive() {
  local folder=$1 image=$IMAGE_PREFIX/$2 name=${2%:*} context=$3
  shift 3
  # Times of files are part of the image, and the class data archive of Spark remembers those of the jars.
  image_log "image-$name" buildah_lab bud --isolation chroot --pull-never "$@" -t "$image" "$context"
  image_log "push-$name" buildah_lab push "$image" "oci-archive:$folder/$name.tar:$image"
  image_log "clean-$name" buildah_lab rmi --force "$image"
  buildah_release
}

# archive NAME HASH: the path of its archive; make_NAME_archive makes it.
archive() {
  local product
  product=$(cached "image-$1" "$2" "make_$1_archive")
  echo "$product/$1.tar"
}

image_hash() { # NAME INPUT...: with the functions that build it
  local name=$1
  shift
  hash_of "$(declare -f build_archive "make_${name}_archive")" "$@"
}

compile_go() { # FOLDER PROGRAM: a static program without dependencies
  have go || die "Go is not installed" "install Go 1.22 or later and put it in PATH"
  (cd "$1" && CGO_ENABLED=0 GOWORK=off go build -trimpath -buildvcs=false -ldflags '-s -w' -o "$2" .) ||
    die "could not compile $1" "see the messages above"
}

# ---- base: Debian with a JRE --------------------------------------------------------------------------------------------
# A stand-in for the JRE image that a registry would give.
base_tree_hash() { hash_of "$BASE_IMAGE_PACKAGES" "$(declare -f build_base_tree)"; }

build_base_tree() {
  # The JRE's package wants to make links in a folder for manual pages, which are left out.
  # shellcheck disable=SC2016 # "$1" is for the hooks
  image_log image-base mmdebstrap --variant=minbase --include="$BASE_IMAGE_PACKAGES" \
    --setup-hook='mkdir -p "$1/usr/share/man/man1"' --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook='rm -rf "$1"/var/cache/apt/* "$1"/var/log/*' bookworm "$1/base.tar"
  printf '%s\n' 'FROM scratch' 'ADD base.tar /' 'ENV LANG=C.UTF-8' > "$1/Dockerfile"
}

base_image() { stored_image base "$(base_tree_hash)" build_base_tree; }

# ---- the two images that ours are made from -------------------------------------------------------------------------------
# A stand-in for the image of a JDK, in which they are built.
jdk_tree_hash() { BASE_IMAGE_PACKAGES=$JDK_IMAGE_PACKAGES base_tree_hash; }

build_jdk_tree() { BASE_IMAGE_PACKAGES=$JDK_IMAGE_PACKAGES build_base_tree "$1"; }

jdk_image() { stored_image jdk "$(jdk_tree_hash)" build_jdk_tree; }

# A stand-in for distroless/java-base: libraries without a shell or any other program.
runtime_tree_hash() { hash_of "$RUNTIME_IMAGE_PACKAGES" "$(declare -f build_runtime_tree)"; }

build_runtime_tree() {
  local folder excluded=()
  for folder in /bin /sbin /usr/bin /usr/sbin /usr/share/man /usr/share/locale /usr/share/debconf; do
    excluded+=(--dpkgopt="path-exclude=$folder/*")
  done
  image_log image-runtime mmdebstrap --variant=extract --include="$RUNTIME_IMAGE_PACKAGES" --aptopt='Acquire::Languages "none"' \
    "${excluded[@]}" bookworm "$1/base.tar"
  printf '%s\n' 'FROM scratch' 'ADD base.tar /' 'ENV LANG=C.UTF-8' > "$1/Dockerfile"
}

runtime_image() { stored_image runtime "$(runtime_tree_hash)" build_runtime_tree; }

# stored_image NAME HASH BUILDER [BUILD OPTION...]: an image for others to be made from. Puts it into the storage of buildah
# if necessary, and prints its name there. BUILDER makes the folder to build it from.
stored_image() {
  local name=$1 hash=$2 builder=$3 image=localhost/numaspark/$1:$2 tree
  shift 3
  if ! buildah_lab inspect --type image "$image" > /dev/null 2>&1; then
    tree=$(cached "image-$name" "$hash" "$builder")
    image_log "image-$name-import" buildah_lab bud --isolation chroot --pull-never "$@" -t "$image" "$tree"
  fi
  echo "$image"
}

# stored_digest IMAGE: the digest of one in the storage, which a registry would tell of its own.
stored_digest() { buildah_lab inspect --type image --format '{{.FromImageDigest}}' "$1"; }

# ---- Python: one layer, which the images of all Sparks share --------------------------------------------------------------
python_tree_hash() { hash_of "$(base_tree_hash)" "$(declare -f build_python_tree)"; }

python_image() {
  local base
  base=$(base_image)
  stored_image python "$(python_tree_hash)" build_python_tree --build-arg "BASE=$base" --build-arg "BASE_DIGEST=$(stored_digest "$base")"
}

# The packages that Python needs beyond those of the base image, as apt sees them from there.
build_python_tree() {
  local base
  base=$(cached image-base "$(base_tree_hash)" build_base_tree)
  mkdir -p "$1/debs/partial"
  tar -xOf "$base/base.tar" ./var/lib/dpkg/status > "$1/status"
  apt_python() {
    apt_quiet -o "Dir::State::status=$1/status" -o "Dir::Cache::archives=$1/debs" -o Dir::Cache::pkgcache= \
      -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root install -y --download-only --no-install-recommends python3
  }
  apt_python "$1" || {
    apt_update
    apt_python "$1" || {
      show_log "$NUMASPARK_CACHE/apt.log"
      die "could not download Python" "check the apt sources and the network"
    }
  }
  # shellcheck disable=SC2016 # an argument of the build
  printf '%s\n' 'ARG BASE' 'ARG BASE_DIGEST' 'FROM ${BASE}@${BASE_DIGEST}' \
    'RUN --mount=type=bind,source=debs,target=/debs apt-get install -y --no-install-recommends /debs/*.deb && rm -rf /var/cache/apt/* /var/log/*' > "$1/Dockerfile"
}

# ---- pause and busybox --------------------------------------------------------------------------------------------------
pause_image() { archive pause "$(image_hash pause "$LAB_IMAGES/pause" "$(go env GOVERSION)")"; }

make_pause_archive() {
  mkdir "$1/context"
  cp "$LAB_IMAGES/pause/Dockerfile" "$1/context/"
  compile_go "$LAB_IMAGES/pause" "$1/context/pause"
  build_archive "$1" pause:lab "$1/context"
  rm -rf "$1/context"
}

busybox_image() {
  local package
  package=$(fetch_deb busybox-static)
  BUSYBOX=$package/bin/busybox archive busybox "$(image_hash busybox "$LAB_IMAGES/busybox" "$package/bin/busybox")"
}

make_busybox_archive() {
  local rootfs=$1/context/rootfs applet
  mkdir -p "$rootfs"/{bin,etc,root,tmp}
  chmod 1777 "$rootfs/tmp"
  cp "$LAB_IMAGES/busybox/Dockerfile" "$1/context/"
  cp "$BUSYBOX" "$rootfs/bin/busybox"
  for applet in $("$BUSYBOX" --list); do
    [ "$applet" = busybox ] || ln -s busybox "$rootfs/bin/$applet"
  done
  printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' 'nobody:x:65534:65534:nobody:/:/bin/sh' > "$rootfs/etc/passwd"
  build_archive "$1" busybox:1 "$1/context"
  rm -rf "$1/context"
}

# ---- Spark --------------------------------------------------------------------------------------------------------------
# spark_requirements VERSION: the file that names its distribution.
spark_requirements() {
  local file=$SPARK_REQUIREMENTS/spark-$1.txt
  [ -f "$file" ] || die "there is no Spark '$1'" "one of: $(cd "$SPARK_REQUIREMENTS" && echo spark-*.txt | sed 's/spark-//g; s/\.txt//g')"
  echo "$file"
}

# spark_distribution VERSION: prints its folder, laid out as SPARK_HOME of the official image.
spark_distribution() {
  local hash
  hash=$(spark_distribution_hash "$1")
  SPARK_VERSION=$1 cached spark-distribution "$hash" build_spark_distribution
}

spark_distribution_hash() { # VERSION
  local requirements
  requirements=$(spark_requirements "$1")
  hash_of "$requirements" "$(declare -f build_spark_distribution)"
}

build_spark_distribution() {
  local sdist
  ensure_packages python3-pip
  # The system's Python: another one in PATH may lack pip. Isolated, it would download what the distribution's setup.py asks for, which
  # no hash holds.
  image_log spark-distribution env PIP_DISABLE_PIP_VERSION_CHECK=1 /usr/bin/python3 -m pip download --no-cache-dir --no-deps \
    --no-build-isolation --no-binary :all: --require-hashes -r "$(spark_requirements "$SPARK_VERSION")" -d "$1"
  sdist=pyspark-$SPARK_VERSION
  # jars/connect-repl repeats jars for the Spark Connect shell.
  tar -C "$1" -xzf "$1/$sdist.tar.gz" --no-same-owner --wildcards --exclude='*/deps/jars/connect-repl' \
    --exclude='*.cmd' '*/deps/bin' '*/deps/sbin' '*/deps/jars' '*/deps/examples' '*/lib/*.zip'
  mkdir -p "$1/python" "$1/examples/src/main"
  mv "$1/$sdist"/deps/{bin,sbin,jars} "$1/"
  mv "$1/$sdist/deps/examples" "$1/examples/src/main/python"
  mv "$1/$sdist/lib" "$1/python/lib"
  rm -r "${1:?}/$sdist" "$1/$sdist.tar.gz"
}

# spark_image VERSION: the path of the archive of numaspark/spark:VERSION.
spark_image() {
  local distribution
  distribution=$(spark_distribution_hash "$1")
  SPARK_VERSION=$1 archive spark "$(image_hash spark "$LAB_IMAGES/spark" "$1 $SPARK_DEFAULT_VERSION" "$distribution" "$(python_tree_hash)")"
}

make_spark_archive() {
  local context=$1/context distribution base classes=$1/classes target=untrained
  have javac || die "there is no Java compiler" "install JDK 17 or later and put it in PATH"
  distribution=$(spark_distribution "$SPARK_VERSION")
  base=$(python_image)
  mkdir -p "$context"/spark/examples/jars "$context/training/classes" "$classes"
  cp "$LAB_IMAGES/spark/Dockerfile" "$LAB_IMAGES/spark/entrypoint.sh" "$context/"
  cp -rl "$distribution/." "$context/spark/"
  cp "$LAB_IMAGES"/spark/examples/python/*.py "$context/spark/examples/"

  image_log spark-examples javac --release 17 -Xlint:all,-path,-processing,-classfile -Werror -cp "$distribution/jars/*" -d "$classes" \
    "$LAB_IMAGES"/spark/examples/{io/numaspark,org/apache/spark}/examples/*.java
  jar --create --file "$context/spark/examples/jars/numaspark-examples.jar" -C "$classes" io
  jar --create --file "$context/spark/examples/jars/spark-examples.jar" -C "$classes" org
  image_log spark-training javac --release 17 -cp "$distribution/jars/*" -d "$context/training/classes" \
    "$LAB_IMAGES"/spark/training/*.java
  cp "$LAB_IMAGES/spark/training/train.sh" "$context/training/"
  java -cp "$context/training/classes:$distribution/jars/*" ModuleOptions > "$context/spark/module-options"
  chmod -R a+rX,go-w "$context"

  # The archive of class data takes time to make and space, and pays off where many executors start.
  [ "$SPARK_VERSION" != "$SPARK_DEFAULT_VERSION" ] || target=trained
  build_archive "$1" "spark:$SPARK_VERSION" "$context" --build-arg "BASE=$base" --build-arg "BASE_DIGEST=$(stored_digest "$base")" \
    --target "$target"
  rm -rf "$context" "$classes"
}

# ---- operator and Prometheus: only where they are asked for ---------------------------------------------------------------
# build_operator_image: prints the archive of numaspark/operator:dev, made from what Maven has built last.
build_operator_image() {
  images_require
  packaged "$OPERATOR_APP/lib/*.jar"
  archive operator "$(java_image_hash operator "$OPERATOR_APP" "$COMMAND_APP" "$REPO/operator/controller/src/main/image" \
    "$REPO/operator/cli/src/main/image" "$REPO/Dockerfile")"
}

make_operator_archive() { build_java_archive "$1" operator:dev "$REPO/Dockerfile"; }

# build_agent_image: prints the archive of numaspark/agent:dev.
build_agent_image() {
  images_require
  packaged "$AGENT_APP/$(go env GOHOSTARCH)/numaspark-*"
  archive agent "$(image_hash agent "$(declare -f build_reproducible_archive)" "$AGENT_APP/$(go env GOHOSTARCH)" "$REPO/agent/Dockerfile" \
    "$REPO/.dockerignore")"
}

make_agent_archive() { build_reproducible_archive "$1" agent:dev "$REPO/agent/Dockerfile" --build-arg "TARGETARCH=$(go env GOHOSTARCH)"; }

# build_plugin_image: prints the archive of numaspark/spark-plugin:dev.
build_plugin_image() {
  images_require
  packaged "$PLUGIN_APP/*.jar"
  archive spark-plugin "$(image_hash spark-plugin "$PLUGIN_APP" "$REPO/spark-plugin/Dockerfile" "$REPO/.dockerignore" "$REPO/LICENSE")"
}

make_spark-plugin_archive() { build_reproducible_archive "$1" spark-plugin:dev "$REPO/spark-plugin/Dockerfile"; }

packaged() { # GLOB
  compgen -G "$1" > /dev/null || die "there is nothing in ${1%/*} to make an image from" "run 'make build' first"
}

java_image_hash() { # NAME INPUT...
  local name=$1 bases
  shift
  bases=$(java_bases)
  image_hash "$name" "$(declare -f build_java_archive build_reproducible_archive)" "$@" "$REPO/.dockerignore" "$REPO/LICENSE" \
    "$REPO/operator/image/bill.sh" "$bases"
}

# The two images that one of ours is made from, as arguments of the build, a line each: by digest, as a release names them.
java_bases() {
  local jdk runtime
  jdk=$(jdk_image)
  runtime=$(runtime_image)
  printf '%s\n' "JDK_IMAGE=$jdk" "JDK_DIGEST=$(stored_digest "$jdk")" "RUNTIME_IMAGE=$runtime" "RUNTIME_DIGEST=$(stored_digest "$runtime")"
}

build_java_archive() { # FOLDER NAME:TAG DOCKERFILE
  local bases name=${2%:*} line arguments=()
  bases=$(java_bases)
  while read -r line; do arguments+=(--build-arg "$line"); done <<< "$bases"
  build_reproducible_archive "$@" "${arguments[@]}"
  "$REPO/operator/image/check.sh" --image "$1/$name.tar" >&2 || die "the bill of materials of $name is not what the image has" "see the messages above"
}

# Two builds from the same files have the same digest (operator/image/check.sh): the time in them is that of the jars' entries.
build_reproducible_archive() { # FOLDER NAME:TAG DOCKERFILE [BUILD OPTION...]
  local folder=$1 image=$2 file=$3 epoch
  shift 3
  epoch=$(date --date="$(sed -n 's:.*<project.build.outputTimestamp>\(.*\)</.*:\1:p' "$REPO/pom.xml")" +%s)
  build_archive "$folder" "$image" "$REPO" --file "$file" --timestamp "$epoch" --build-arg "SOURCE_DATE_EPOCH=$epoch" "$@"
}

prometheus_image() {
  local package
  images_require
  package=$(fetch_deb prometheus)
  PROMETHEUS=$package/usr/bin/prometheus \
    archive prometheus "$(image_hash prometheus "$LAB_IMAGES/prometheus" "$package/usr/bin/prometheus" "$(go env GOVERSION)" "$(base_tree_hash)")"
}

make_prometheus_archive() {
  local base
  base=$(base_image)
  mkdir "$1/context"
  cp "$LAB_IMAGES/prometheus/Dockerfile" "$PROMETHEUS" "$1/context/"
  compile_go "$LAB_IMAGES/prometheus/targets" "$1/context/targets"
  build_archive "$1" prometheus:lab "$1/context" --build-arg "BASE=$base" --build-arg "BASE_DIGEST=$(stored_digest "$base")"
  rm -rf "$1/context"
}

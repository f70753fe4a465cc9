# shellcheck shell=bash
# Debian packages: a fresh Debian 12 has only Go, a JDK, Maven, make, git and curl.

APT_RELEASE=() # options that make apt look into another release than this system's; see fetch_backport

apt_quiet() {
  mkdir -p "$NUMASPARK_CACHE"
  DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "${APT_RELEASE[@]}" "$@" >> "$NUMASPARK_CACHE/apt.log" 2>&1
}

# The package lists may be missing (container images delete them) or name versions that are gone from the mirror.
apt_update() {
  apt_quiet update || {
    show_log "$NUMASPARK_CACHE/apt.log"
    die "apt-get update failed" "check the apt sources and the network"
  }
}

package_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }

# ensure_packages NAME...: installs those that are missing.
ensure_packages() {
  local name missing=()
  for name in "$@"; do
    package_installed "$name" || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  have apt-get || die "missing packages: ${missing[*]}" "this is not Debian: install what they contain by other means"
  [ "$(id -u)" = 0 ] || die "missing packages: ${missing[*]}" "as root: apt-get install --no-install-recommends ${missing[*]}"
  note "installing packages: ${missing[*]}"
  apt_quiet install -y --no-install-recommends "${missing[@]}" && return 0
  apt_update
  apt_quiet install -y --no-install-recommends "${missing[@]}" || {
    show_log "$NUMASPARK_CACHE/apt.log"
    die "could not install: ${missing[*]}" "try it by hand: apt-get install --no-install-recommends ${missing[*]}"
  }
}

# fetch_deb NAME...: prints a folder with the unpacked packages. For packages that would start a service when
# installed (containerd, prometheus): the lab runs their programs from here, with its own configuration. Only the
# named packages are unpacked; the libraries that they need must be installed.
fetch_deb() {
  local versions
  have apt-get || die "cannot fetch $*: there is no apt-get" "the lab's node runs on Debian 12"
  versions=$(deb_versions "$@")
  if [ "$(wc -l <<< "$versions")" -ne $# ]; then
    apt_update
    versions=$(deb_versions "$@")
    [ "$(wc -l <<< "$versions")" -eq $# ] || die "apt does not know all of: $*" "check the apt sources"
  fi
  FETCH_DEB_NAMES=("$@")
  cached "deb-$1" "$(hash_of "$versions")" fetch_deb_build
}

deb_versions() { # NAME...: "name=version", a line each
  apt-cache "${APT_RELEASE[@]}" show --no-all-versions "$@" 2> /dev/null | awk '/^Package:/ {name = $2} /^Version:/ {print name "=" $2}' | sort
}

fetch_deb_build() {
  local downloads
  downloads=$(mktemp -d)
  chmod 777 "$downloads" # apt downloads as a user of its own
  if ! (cd "$downloads" && apt_quiet download "${FETCH_DEB_NAMES[@]}"); then
    apt_update
    (cd "$downloads" && apt_quiet download "${FETCH_DEB_NAMES[@]}") || {
      show_log "$NUMASPARK_CACHE/apt.log"
      die "could not download: ${FETCH_DEB_NAMES[*]}" "check the apt sources and the network"
    }
  fi
  for deb in "$downloads"/*.deb; do dpkg -x "$deb" "$1"; done
  rm -rf "$downloads"
}

# fetch_backport NAME...: as fetch_deb, of the backports of this Debian where they have the package. Package lists of its own, so
# that the system's sources and packages stay as they are.
fetch_backport() {
  local release mirror sources=$NUMASPARK_CACHE/apt-backports/sources.list lists=$NUMASPARK_CACHE/apt-backports/lists
  # shellcheck disable=SC1091 # a file of every Debian
  release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
  mirror=$(debian_mirror "$release")
  if [ -z "$mirror" ]; then
    apt_update
    mirror=$(debian_mirror "$release")
    [ -n "$mirror" ] || die "no apt source of Debian $release is known" "check the apt sources"
  fi
  mkdir -p "$lists/partial"
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
    "$mirror" "$release" "$mirror" "$release-backports" > "$sources"
  local APT_RELEASE=(-o "Dir::Etc::sourcelist=$sources" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o "APT::Default-Release=$release-backports")
  [ -n "$(compgen -G "$lists/*_Packages*")" ] || apt_update
  fetch_deb "$@"
}

debian_mirror() { # RELEASE
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format '$(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
    awk -v release="$1" '$1 == release {print $2; exit}'
}

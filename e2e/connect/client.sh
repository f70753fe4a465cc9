#!/usr/bin/env bash
# Runs docs/examples/connect-client.py with its arguments, by the pyspark of the lab's Spark. What that needs besides comes from the
# Python package index once (about 100 MB). It needs Python 3.11, as Debian 12 has it.
set -euo pipefail
shopt -s inherit_errexit
CONNECT_CLIENT=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=lab/lib/common.sh
. "$CONNECT_CLIENT/../../lab/lib/common.sh"
# shellcheck source=lab/lib/images.sh
. "$CONNECT_CLIENT/../../lab/lib/images.sh"

install_client() {
  PIP_DISABLE_PIP_VERSION_CHECK=1 python3.11 -m pip install --quiet --no-cache-dir --no-deps --only-binary :all: --require-hashes \
    --target "$1" --requirement "$CONNECT_CLIENT/requirements.txt" ||
    die "could not install what pyspark's client needs" "see the messages above; the Python package index must be reachable on the first run"
}

python3.11 -m pip --version > /dev/null 2>&1 || die "there is no Python 3.11 with pip" "install python3.11 and python3-pip"
packages=$(cached connect-client "$(hash_of "$CONNECT_CLIENT/requirements.txt" "$(declare -f install_client)")" install_client)
SPARK_HOME=$(spark_distribution "${SPARK_VERSION:-4.3.0}")
export SPARK_HOME
zips=("$SPARK_HOME"/python/lib/*.zip)
PYTHONPATH=$packages:$(IFS=: && echo "${zips[*]}") exec python3.11 "$REPO/docs/examples/connect-client.py" "$@"

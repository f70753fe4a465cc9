#!/usr/bin/env bash
# Prints a folder with Airflow and its provider for Kubernetes, for PYTHONPATH; makes it unless the cache has it
# (downloads about 130 MB once). It needs Python 3.11, as Debian 12 has it. requirements.txt has what
# `pip install --dry-run --report` answered for the provider alone.
set -euo pipefail
shopt -s inherit_errexit
AIRFLOW_ORACLE=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
# shellcheck source=lab/lib/common.sh
. "$AIRFLOW_ORACLE/../../lab/lib/common.sh"

install_airflow() {
  PIP_DISABLE_PIP_VERSION_CHECK=1 python3.11 -m pip install --quiet --no-cache-dir --no-deps --only-binary :all: --require-hashes \
    --target "$1" --requirement "$AIRFLOW_ORACLE/requirements.txt" ||
    die "could not install Airflow" "see the messages above; the Python package index must be reachable on the first run"
}

python3.11 -m pip --version > /dev/null 2>&1 ||
  die "there is no Python 3.11 with pip" "install python3.11 and python3-pip, or leave the tests with Airflow out"
cached airflow "$(hash_of "$AIRFLOW_ORACLE/requirements.txt" "$(declare -f install_airflow)")" install_airflow

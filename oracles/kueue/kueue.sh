#!/usr/bin/env bash
# Prints a folder with Kueue, its kinds and a certificate for its webhook server, for KUEUE_TEST_DIR; builds it unless the cache has it
# (some minutes, and downloads of about 200 MB, once).
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
# shellcheck source=lab/lib/common.sh
. lab/lib/common.sh
# shellcheck source=lab/lib/tools.sh
. lab/lib/tools.sh

kueue_product

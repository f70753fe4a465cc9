#!/usr/bin/env bash
# Runs every query of the dashboards against the lab's Prometheus, while an application with the Spark plugin runs for them.
set -euo pipefail
cd "$(dirname "$0")/.."
# The application starts while Prometheus does.
kubectl apply -f lab/demo/profile.yaml -f dashboards/check/application.yaml
lab/lab prometheus up
DASHBOARD_CHECK_SECONDS=600 dashboards/check/check.sh
kubectl delete --timeout=120s -f dashboards/check/application.yaml

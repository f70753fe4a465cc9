#!/usr/bin/env bash
# Runs every query of the dashboards against the lab's Prometheus, while an application with the Spark plugin runs for them.
set -euo pipefail
cd "$(dirname "$0")/.."
webhook() { # true or false: its panels need it
  helm upgrade numaspark charts/numaspark --namespace numaspark-system --reuse-values --set "webhook.enabled=$1,webhook.replicas=1" > /dev/null
  kubectl --namespace numaspark-system rollout status deployment --timeout=300s
}
webhook true
# The application starts while Prometheus does.
kubectl apply -f lab/demo/profile.yaml -f dashboards/check/application.yaml
lab/lab prometheus up
DASHBOARD_CHECK_SECONDS=600 dashboards/check/check.sh
kubectl delete --timeout=120s -f dashboards/check/application.yaml
webhook false

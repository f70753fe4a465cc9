#!/usr/bin/env bash
# Checks the chart without a cluster: `helm lint`, the unit tests in unit/, golden/: what each file of values/ renders to, and
# deploy/kustomize: what the default values render to.
#   charts/tests/check.sh            compare
#   charts/tests/check.sh --update   write both anew; read the difference before you commit it
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../.."

CHART=charts/numaspark
GOLDEN=charts/tests/golden
KUSTOMIZE=deploy/kustomize

case ${1:-} in
  --update) update=1 ;;
  '') update= ;;
  *)
    echo "check.sh: unknown argument $1; give none, or --update" >&2
    exit 2
    ;;
esac

PATH=$(lab/lab tools --chart):$PATH
rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT

# Short files stand in for those of files/, so that what they become is seen whatever they are.
cp -r "$CHART" "$rendered/chart"
rm -rf "$rendered/chart/files"
mkdir -p "$rendered/chart/files/rules" "$rendered/chart/files/dashboards" "$rendered/chart/files/kube-state-metrics"
echo 'kind: CustomResourceStateMetrics' > "$rendered/chart/files/kube-state-metrics/numaspark.yaml"
cp charts/tests/rules.yaml "$rendered/chart/files/rules/example.yaml"
cp charts/tests/dashboard.json "$rendered/chart/files/dashboards/example.json"

# The release's name and namespace are in the first line of the file.
for values in charts/tests/values/*.yaml; do
  name=$(basename "$values" .yaml)
  read -r _ _ release _ namespace < "$values"
  helm lint --quiet --strict --values "$values" "$CHART"
  helm template "$release" "$rendered/chart" --namespace "$namespace" --values "$values" \
    --output-dir "$rendered/trees/$name" > /dev/null
  mv "$rendered/trees/$name/numaspark/templates/"* "$rendered/trees/$name/"
  rm -r "$rendered/trees/$name/numaspark"
done

mkdir "$rendered/kustomize"
{
  echo "# Generated from the chart by \`make generate\`."
  for crd in "$CHART"/crds/*.yaml; do echo --- && cat "$crd"; done
} > "$rendered/kustomize/crds.yaml"
{
  echo "# Generated from the chart by \`make generate\`."
  # Helm has no part in what kustomize manages.
  helm template numaspark "$CHART" --namespace numaspark-system --skip-tests |
    sed '/helm.sh\/chart:/d; s/managed-by: Helm/managed-by: kustomize/'
} > "$rendered/kustomize/numaspark.yaml"

if [ -n "$update" ]; then
  rm -rf "$GOLDEN"
  cp -r "$rendered/trees" "$GOLDEN"
  cp "$rendered/kustomize/"* "$KUSTOMIZE/"
fi
for file in crds numaspark; do
  diff -u "$KUSTOMIZE/$file.yaml" "$rendered/kustomize/$file.yaml" || {
    echo "chart: its default values render to something else than $KUSTOMIZE/$file.yaml; run charts/tests/check.sh --update" >&2
    exit 1
  }
done
diff -ru "$GOLDEN" "$rendered/trees" || {
  echo "chart: it renders to something else than $GOLDEN; if that is wanted, run charts/tests/check.sh --update" >&2
  exit 1
}
helm-unittest --color=false --file '../../charts/tests/unit/*_test.yaml' "$CHART" > "$rendered/unit.log" 2>&1 || {
  cat "$rendered/unit.log" >&2
  exit 1
}
grep '^Tests:' "$rendered/unit.log" | sed 's/Tests: */chart: unit tests: /'
echo "chart: $(find "$GOLDEN" -mindepth 1 -maxdepth 1 | wc -l) rendered trees are as in $GOLDEN"

#!/usr/bin/env bash
# Opens the committed pages of the node picture in headless Chromium, 400 and 1280 pixels wide, light and dark, and measures them:
# nothing is wider than its page, no text leaves its holder, panel or drawing, every holder takes the focus and shows its panel alone.
# With a folder as argument it also leaves a screenshot of each there.
set -euo pipefail
cd "$(dirname "$0")/../../../../.."
# shellcheck source=lab/lib/common.sh
. lab/lib/common.sh
# shellcheck source=lab/lib/packages.sh
. lab/lib/packages.sh

find_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome; }

find_browser > /dev/null || ensure_packages chromium fonts-liberation
browser=$(find_browser)
screenshots=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=(operator/render/src/test/resources/picture/*.html operator/cli/src/test/resources/plan/expected/*.html)
checks=0
failed=0

# browse URL WIDTH SCHEME ARGUMENT...: 0 is dark and 1 light in Chromium's own enumeration.
browse() {
  local url=$1 width=$2 scheme=$3
  shift 3
  "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files \
    --user-data-dir="$work/profile" --force-device-scale-factor=1 --blink-settings=preferredColorScheme="$scheme" \
    --window-size="$((width < 500 ? 500 : width)),1600" --virtual-time-budget=5000 "$@" "$url" 2> "$work/stderr"
}

for page in "${pages[@]}"; do
  for width in 400 1280; do
    for scheme in dark light; do
      url="file://$PWD/operator/render/src/test/browser/harness.html?page=file://$PWD/$page&width=$width&height=1600"
      code=$([ "$scheme" = dark ] && echo 0 || echo 1)
      browse "$url" "$width" "$code" --dump-dom > "$work/dom"
      if ! grep -q '^MEASURED' "$work/dom"; then
        echo "picture: $page at $width, $scheme: Chromium did not measure it"
        tail -n 3 "$work/stderr"
        failed=$((failed + 1))
      elif grep -q '^PROBLEM ' "$work/dom"; then
        echo "picture: $page at $width, $scheme:"
        grep '^PROBLEM ' "$work/dom" | head -n 20
        failed=$((failed + 1))
      fi
      checks=$((checks + 1))
      if [ -n "$screenshots" ]; then
        mkdir -p "$screenshots"
        browse "$url&focus=Executor" "$width" "$code" --screenshot="$screenshots/$(basename "$page" .html)-$width-$scheme.png"
      fi
    done
  done
done
echo "picture: $checks pages measured, $failed with problems"
[ "$failed" = 0 ]

#!/bin/sh
# install.sh EXTRAS WHEEL: installs a wheel of Tacenda, with some of its extras, for the first python in PATH.
set -eu
extras=$1
wheel=$2
[ -f "$wheel" ] || { echo "install.sh: $wheel: no such wheel; build one with: python -m build --wheel" >&2; exit 2; }
python -m pip install --no-cache-dir --disable-pip-version-check --quiet "$wheel${extras:+[$extras]}"
python -m pip check

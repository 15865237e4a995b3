#!/bin/sh
# Compiles ahead, into TACENDA_CACHE, what every worker would compile at its first unit. Run it as the user of the workers.
set -eu
: "${TACENDA_CACHE:?is not set}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python -m tacenda sample --conversations 20 --output sample --quiet
python -m tacenda anonymize --input sample/conversations --output out --quiet || [ $? -eq 3 ]
# What was not used for a week is removed; nothing in an image was, when it is started.
find "$TACENDA_CACHE" -name '*.kept' -exec touch -d 2100-01-01 {} +

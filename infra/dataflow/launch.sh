#!/usr/bin/env bash
# Starts `tacenda anonymize` on Dataflow: launch.sh INPUT OUTPUT [more options of the command or of Beam]
# Needs TACENDA_PROJECT, TACENDA_REGION, TACENDA_BUCKET (gs://… for temporary files) and TACENDA_IMAGE
# (infra/containers). TACENDA_PRINT=1 prints the command and runs nothing.
set -euo pipefail

missing=()
for name in TACENDA_PROJECT TACENDA_REGION TACENDA_BUCKET TACENDA_IMAGE; do
    [ -n "${!name:-}" ] || missing+=("$name")
done
if [ ${#missing[@]} -gt 0 ] || [ $# -lt 2 ]; then
    [ ${#missing[@]} -eq 0 ] || echo "launch.sh: set ${missing[*]}" >&2
    [ $# -ge 2 ] || echo "launch.sh: give INPUT and OUTPUT, both gs://…" >&2
    exit 2
fi

input=$1 output=$2
shift 2
command=(
    tacenda anonymize --input "$input" --output "$output"
    --runner=DataflowRunner --project="$TACENDA_PROJECT" --region="$TACENDA_REGION"
    --temp_location="$TACENDA_BUCKET/temp" --sdk_container_image="$TACENDA_IMAGE" --sdk_location=container
    --worker_machine_type="${TACENDA_MACHINE:-n2-standard-8}" --max_num_workers="${TACENDA_MOST_WORKERS:-50}"
    --autoscaling_algorithm=THROUGHPUT_BASED
    "$@"
)
if [ -n "${TACENDA_PRINT:-}" ]; then
    printf '%s\n' "${command[@]}"
else
    exec "${command[@]}"
fi

#!/bin/sh
# without_daemon.sh WHEEL IMAGE.tar: the cpu image of the Dockerfile, without a daemon, on the Python 3.11 of Debian 12.
# Needs root, debootstrap, Go and 5 GB of TMPDIR. `docker load`, `podman load` and `crane push` take the file.
set -eu
wheel=$1
image=$2
here=$(cd "$(dirname "$0")" && pwd)
dockerfile=$here/Dockerfile
work=$(mktemp -d)
root=$work/root
registry=localhost:5055
server=
trap 'umount "$root/proc" 2>/dev/null || :; ${server:+kill "$server"}; rm -rf --one-file-system "$work"' EXIT

# Beam's boot is built from its Go module, where Docker copies it from Beam's image.
beam=$(sed -n 's/^ARG BEAM=//p' "$dockerfile")
export GOBIN="$work/bin" CGO_ENABLED=0
go install "github.com/apache/beam/sdks/v2/python/container@v$beam"
go install github.com/google/go-containerregistry/cmd/crane@v0.22.1
debootstrap --variant=minbase --include=ca-certificates,python3,python3-pip bookworm "$root" >"$work/log" || {
    tail "$work/log" >&2
    exit 1
}
ln -s python3 "$root/usr/bin/python"
rm -f "$root"/usr/lib/python3*/EXTERNALLY-MANAGED
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"

# The Dockerfile's steps, in its order.
environment="PATH=/usr/local/bin:/usr/bin:/bin $(sed -n 's/^ENV //p' "$dockerfile")"
extras=$(sed -n '/AS cpu$/,/^USER/s/^RUN .*install\.sh \([^ ]*\) .*/\1/p' "$dockerfile")
chroot "$root" useradd --uid 10001 --create-home worker
chroot "$root" install -d -o worker -g worker /var/cache/tacenda
install -D "$work/bin/container" "$root/opt/apache/beam/boot"
mkdir "$root/tmp/image"
cp "$here/install.sh" "$here/warm.sh" "$wheel" "$root/tmp/image"
cp "${PIP_CERT:-/etc/ssl/certs/ca-certificates.crt}" "$root/tmp/image/authorities"
chroot "$root" env -i $environment HOME=/root PIP_CERT=/tmp/image/authorities PIP_ROOT_USER_ACTION=ignore \
    ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} /tmp/image/install.sh "$extras" "/tmp/image/$(basename "$wheel")"
chroot --userspec=worker "$root" env -i $environment HOME=/home/worker /tmp/image/warm.sh
umount "$root/proc"
rm -rf "$root/tmp/image" "$root/etc/resolv.conf" "$root"/var/cache/apt/archives/*.deb

tar -C "$root" -cf "$work/layer.tar" .
mkdir "$work/registry"
"$GOBIN/crane" registry serve --address "$registry" --disk "$work/registry" >"$work/log" 2>&1 &
server=$!
sleep 2
name=$registry/tacenda-worker
"$GOBIN/crane" append --oci-empty-base --new_layer "$work/layer.tar" --new_tag "$name:plain" >"$work/log" 2>&1
"$GOBIN/crane" mutate "$name:plain" --tag "$name:cpu" --set-platform linux/amd64 --user worker \
    --entrypoint "$(sed -n 's/^ENTRYPOINT \["\(.*\)"\]$/\1/p' "$dockerfile")" \
    $(for pair in $environment; do echo "--env $pair"; done) >"$work/log" 2>&1
"$GOBIN/crane" validate --remote "$name:cpu"
"$GOBIN/crane" pull "$name:cpu" "$image"

#!/bin/sh
# try.sh IMAGE.tar: runs jobs in the image of without_daemon.sh, by its user and environment, without a daemon: one
# in a plain loop, and the same through the image's entry point as a pool of Beam workers. Both must write the same
# bytes. Needs root and 3 GB of TMPDIR; has processes and a network of its own.
set -eu
[ -n "${TACENDA_APART:-}" ] || TACENDA_APART=1 exec unshare --net --mount --uts --pid --fork --kill-child "$0" "$@"
work=$(mktemp -d)
root=$work/root
trap 'umount "$root/proc" 2>/dev/null || :; rm -rf --one-file-system "$work"' EXIT

mkdir "$root"
tar -C "$work" -xf "$1"
tar -C "$root" --warning=no-timestamp -xzf "$work"/*.tar.gz
mount -t proc proc "$root/proc"
hostname localhost
ip link set lo up
echo '127.0.0.1 localhost' >"$root/etc/hosts"

config() {
    python3 -c "import json, sys
told = json.load(open(sys.argv[1]))['config'][sys.argv[2]]
print(*told if isinstance(told, list) else [told])" "$work"/sha256:* "$1"
}
boot=$(config Entrypoint)
user=$(config User)
inside() {
    chroot --userspec="$user:$user" "$root" env -i HOME="/home/$user" $(config Env) sh -c 'cd && exec "$@"' sh "$@"
}

inside tacenda sample --conversations 50 --output sample
inside tacenda anonymize --input sample/conversations --output loop --workers 1
inside "$boot" --worker_pool >"$work/pool.log" 2>&1 &
sleep 5
inside timeout 600 tacenda anonymize --input sample/conversations --output pool --runner=PortableRunner --job_endpoint=embed \
    --environment_type=EXTERNAL --environment_config=localhost:50000 || {
    tail "$work/pool.log" >&2
    exit 1
}
inside diff -r loop pool
echo "try.sh: both jobs wrote the same bytes"

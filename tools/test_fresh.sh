#!/usr/bin/env bash
# Runs `make demo` and `make test` on this commit in a fresh Debian with git and make, which debootstrap
# creates in a folder. Needs root. usage: test_fresh.sh CODENAME [TARGET...]   (bookworm, trixie)
# If SOSIE_FRESH names the folder, it is kept, and reused by later calls.
set -euo pipefail
cd "$(dirname "$0")/.."
codename=$1
shift
targets=("$@")
[ $# -gt 0 ] || targets=(demo test)
[ "$(id -u)" -eq 0 ] || { echo "test_fresh: needs root" >&2; exit 1; }
tools/install_packages.sh dist-check

root=${SOSIE_FRESH:-$(mktemp -d)}
cleanup() {
  if mountpoint -q "$root/proc"; then umount "$root/proc"; fi
  if mountpoint -q "$root/dev/shm"; then umount "$root/dev/shm"; fi
  [ -n "${SOSIE_FRESH:-}" ] || rm -rf --one-file-system "$root"
}
trap cleanup EXIT

if [ ! -e "$root/usr/bin/make" ]; then
  mirror=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
    sed -nE 's/^(URIs: |deb (\[[^]]*\] )?)(\S+).*/\3/p' | head -n 1) || true
  debootstrap --variant=minbase --include=git,make,ca-certificates "$codename" "$root" \
    "${mirror:-http://deb.debian.org/debian}" >"$root.log" 2>&1 || { tail "$root.log" >&2; exit 1; }
  rm "$root.log"
fi
for file in /etc/resolv.conf ${PIP_CERT:-}; do
  mkdir -p "$root$(dirname "$file")"
  cp "$file" "$root$file"
done
rm -rf "$root/root/sosie"
git clone --quiet --no-hardlinks . "$root/root/sosie"
mountpoint -q "$root/proc" || mount --bind /proc "$root/proc"
mkdir -p "$root/dev/shm"
mountpoint -q "$root/dev/shm" || mount -t tmpfs tmpfs "$root/dev/shm"
for target in "${targets[@]}"; do
  begin=$SECONDS
  env HOME=/root LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" make -C /root/sosie "$target" </dev/null
  echo "== $codename: make $target took $((SECONDS - begin)) s"
done

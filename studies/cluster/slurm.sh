#!/usr/bin/env bash
# A comparison as a Slurm array, a part a task:
#   sbatch --array=1-16 studies/cluster/slurm.sh FOLDER GAME@A @B --games 100000 --scenario july-1 ...
# Run again it goes on with what was killed. When all tasks are done:
#   countermarch compare GAME@A @B --games 100000 --scenario july-1 ... --from FOLDER
# PROGRAM names another countermarch than the one in PATH.
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
set -euo pipefail
folder=$1
shift
mkdir -p "$folder"
of=$((SLURM_ARRAY_TASK_MAX - SLURM_ARRAY_TASK_MIN + 1))
part=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))
exec "${PROGRAM:-countermarch}" compare "$@" --shard "$part/$of" --trials "$folder/part-$part.csv" > "$folder/part-$part.txt"

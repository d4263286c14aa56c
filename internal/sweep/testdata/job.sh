#!/bin/bash
#SBATCH --job-name=nicgen-sweep
#SBATCH --array=0-999%8
#SBATCH --ntasks=1
#SBATCH --output="/shared/it's a sweep/log/%a.txt"
exec '/opt/nicgen' sweep '/shared/it'\''s a sweep/plan.yaml' --out '/shared/it'\''s a sweep' --jobs 1 --share "$SLURM_ARRAY_TASK_ID/1000" --quiet

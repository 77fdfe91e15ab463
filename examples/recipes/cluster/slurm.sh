#!/bin/sh
# Deduplicates shards with Slurm: slurm.sh PARTS OUT SHARD...
# Plans on the first shard, sketches each shard, matches in PARTS parts (both in job arrays), and
# combines the results in OUT. Everything except OUT goes to the folder WORK (default: OUT.work),
# which
# all nodes must share. After a failure, repeat the command: finished steps are skipped.
# DRY=1 runs the jobs here, one after another, without Slurm.
set -eu
parts=$1 out=$2
shift 2
work=${WORK:-$out.work}
sosie=${SOSIE:-sosie}
mkdir -p "$work/sketches" "$work/parts"
[ -e "$work/plan.json" ] || "$sosie" plan "$1" --method lsh -o "$work/plan.json" >/dev/null
asked=$(printf '%s\n' "$parts" "$@")
if [ -e "$work/asked" ] && [ "$asked" != "$(cat "$work/asked")" ]; then
  echo "slurm.sh: $work holds a run of other parts or shards: remove it, or set WORK" >&2
  exit 2
fi
echo "$asked" >"$work/asked"
printf '%s\n' "$@" >"$work/shards"

# The jobs: $1 is a number, starting with 1; names come from the lists above.
cat >"$work/sketch.sh" <<END
#!/bin/sh
shard=\$(sed -n "\$1p" '$work/shards')
name='$work/sketches/'\$(printf %05d "\$1").sketches
[ -e "\$name" ] || exec '$sosie' sketch "\$shard" --plan '$work/plan.json' -q -o "\$name"
END
cat >"$work/match.sh" <<END
#!/bin/sh
[ -e '$work/parts/'"\$1"-of-$parts.part ] ||
  exec '$sosie' dedup --reuse '$work/sketches' --part "\$1/$parts" -q -o '$work/parts'
END
cat >"$work/join.sh" <<END
#!/bin/sh
exec '$sosie' dedup --reuse '$work/sketches' --parts '$work/parts' -o '$out'
END

# array NAME COUNT AFTER: runs NAME.sh for 1 to COUNT once the job AFTER has finished; prints the job.
array() {
  if [ -n "${DRY:-}" ]; then
    for i in $(seq "$2"); do sh "$work/$1.sh" "$i" >&2; done
    return
  fi
  sbatch --parsable --kill-on-invalid-dep=yes ${3:+--dependency=afterok:$3} --array="1-$2" --job-name="sosie-$1" \
    --output="$work/$1-%a.log" --wrap "sh '$work/$1.sh' \$SLURM_ARRAY_TASK_ID"
}
sketched=$(array sketch $#)
matched=$(array match "$parts" "$sketched")
array join 1 "$matched"

# Made by sosie_docs from the table of options: run `make docs` instead of editing.
_sosie() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'dedup dedupe pairs query cluster explain plan sketch --help --version' -- "$word"))
    return
  fi
  case $previous in
    --kind|--as)
      COMPREPLY=($(compgen -W 'text sets bags vectors bits' -- "$word"))
      return
      ;;
    --on-bad-row)
      COMPREPLY=($(compgen -W 'stop skip keep' -- "$word"))
      return
      ;;
    --union)
      COMPREPLY=($(compgen -W 'max sum' -- "$word"))
      return
      ;;
    --tokens)
      COMPREPLY=($(compgen -W 'unicode ascii' -- "$word"))
      return
      ;;
    --method)
      COMPREPLY=($(compgen -W 'auto lsh exact brute' -- "$word"))
      return
      ;;
    --sketch)
      COMPREPLY=($(compgen -W 'permfill classic' -- "$word"))
      return
      ;;
    --probes)
      COMPREPLY=($(compgen -W '1 1.25 1.5 2 3' -- "$word"))
      return
      ;;
    --clustering)
      COMPREPLY=($(compgen -W 'star components' -- "$word"))
      return
      ;;
    --annotate)
      COMPREPLY=($(compgen -W 'kept all' -- "$word"))
      return
      ;;
    --progress)
      COMPREPLY=($(compgen -W 'auto bar plain none' -- "$word"))
      return
      ;;
    --color)
      COMPREPLY=($(compgen -W 'auto always never' -- "$word"))
      return
      ;;
    --files-from|--ids|--other-ids|--against|--rejects|--stopwords|--plan|--output|-o|--reuse|--removed|--clusters|--pairs|--stats|--report|--svg|--scratch|--checkpoint)
      COMPREPLY=($(compgen -f -- "$word"))
      return
      ;;
    --format|--delimiter|--column|--text|--id|--ratings|--group-by|--element|--weight|--threshold|--within|--measure|--shingle|--filters|--recall|--bands|--construct|--family|--d1|--d2|--seed|--keep|--show|--top|--top-pairs|--limit|--threads|--memory|--scratch-limit|--simd)
      return
      ;;
  esac
  case ${COMP_WORDS[1]} in
    dedup|dedupe)
      options='--format --delimiter --no-header --follow --files-from --column --id --ids --other-ids --against --kind --ratings --group-by --element --weight --on-bad-row --rejects --threshold --within --measure --union --shingle --stopwords --tokens --method --filters --recall --sketch --bands --construct --family --probes --plan --seed --audit --output --overwrite --keep --clustering --annotate --reuse --removed --clusters --pairs --stats --report --dry-run --fail-if-duplicates --threads --memory --scratch --scratch-limit --checkpoint --progress --simd --quiet --help'
      ;;
    pairs)
      options='--format --delimiter --no-header --follow --files-from --column --id --ids --other-ids --against --kind --ratings --group-by --element --weight --on-bad-row --rejects --threshold --within --measure --union --shingle --stopwords --tokens --method --filters --recall --sketch --bands --construct --family --probes --plan --seed --audit --output --reuse --stats --show --top --top-pairs --limit --threads --memory --scratch --scratch-limit --checkpoint --progress --simd --quiet --help'
      ;;
    query)
      options='--format --delimiter --no-header --follow --files-from --column --id --ids --other-ids --kind --ratings --group-by --element --weight --on-bad-row --rejects --threshold --within --measure --union --shingle --stopwords --tokens --method --filters --recall --sketch --bands --construct --family --probes --plan --seed --audit --output --stats --show --top --limit --threads --memory --scratch --scratch-limit --progress --simd --quiet --help'
      ;;
    cluster)
      options='--threshold --output --clustering --scratch --quiet --help'
      ;;
    explain)
      options='--format --delimiter --no-header --follow --files-from --column --id --kind --ratings --on-bad-row --threshold --measure --union --shingle --stopwords --tokens --method --recall --sketch --bands --construct --family --probes --plan --seed --output --keep --clustering --threads --memory --scratch --scratch-limit --progress --simd --color --help'
      ;;
    plan)
      options='--format --delimiter --no-header --follow --files-from --column --kind --ratings --group-by --element --weight --threshold --measure --union --shingle --stopwords --tokens --method --recall --sketch --bands --construct --family --probes --d1 --d2 --seed --output --svg --threads --memory --scratch --scratch-limit --simd --help'
      ;;
    sketch)
      options='--format --delimiter --no-header --follow --files-from --column --id --kind --ratings --on-bad-row --threshold --measure --union --shingle --stopwords --tokens --recall --sketch --plan --seed --output --keep --threads --memory --scratch --scratch-limit --progress --simd --quiet --help'
      ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _sosie sosie

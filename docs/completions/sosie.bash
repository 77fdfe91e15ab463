# Made by sosie_docs from the table of options: run `make docs` instead of editing.
_sosie_words() {
  COMPREPLY=($(compgen -W "$1" -- "$word"))
  [[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
}

_sosie_list() {
  local before=
  [[ $word == *,* ]] && before=${word%,*},
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "${word##*,}"))
  compopt -o nospace 2>/dev/null
}

_sosie() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options=
  COMPREPLY=()
  if [[ $word == = ]]; then
    word=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'dedup dedupe pairs query cluster explain plan sketch link index serve demo help --help --version' -- "$word"))
    return
  fi
  if [[ ${COMP_WORDS[1]} == help ]]; then
    COMPREPLY=($(compgen -W 'dedup dedupe pairs query cluster explain plan sketch link index serve demo' -- "$word"))
    return
  fi
  if ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == index && $word != -* ]]; then
    COMPREPLY=($(compgen -W 'build add remove merge compact info check' -- "$word"))
    return
  fi
  case $previous in
    --format)
      _sosie_words 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
      return
      ;;
    --other-format)
      _sosie_words 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
      return
      ;;
    --kind|--as)
      _sosie_words 'text sets bags vectors bits strings records'
      return
      ;;
    --ratings)
      _sosie_words 'drop: liked-hated: bag'
      return
      ;;
    --represent)
      _sosie_words 'grid: border: size: directions:'
      return
      ;;
    --on-bad-row)
      _sosie_words 'stop skip keep'
      return
      ;;
    --measure)
      _sosie_words 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
      return
      ;;
    --union)
      _sosie_words 'max sum'
      return
      ;;
    --shingle)
      _sosie_words 'words: chars: stopwords:'
      return
      ;;
    --tokens)
      _sosie_words 'unicode raw ascii'
      return
      ;;
    --clean)
      _sosie_words 'none fold alnum'
      return
      ;;
    --method)
      _sosie_words 'auto lsh exact brute'
      return
      ;;
    --filters)
      _sosie_list 'length prefix position suffix signature none'
      return
      ;;
    --sketch)
      _sosie_words 'permfill classic'
      return
      ;;
    --construct)
      _sosie_list 'and: or:'
      return
      ;;
    --family)
      _sosie_words 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
      return
      ;;
    --squares)
      _sosie_words '1 2 3 4 5 6 7 8'
      return
      ;;
    --probes)
      _sosie_words '1 1.25 1.5 2 3'
      return
      ;;
    --assign)
      _sosie_words 'auto one-to-one best all groups'
      return
      ;;
    --keep)
      _sosie_list 'first last longest shortest max: min:'
      return
      ;;
    --clustering)
      _sosie_words 'star components'
      return
      ;;
    --annotate)
      _sosie_words 'kept all'
      return
      ;;
    --keep-items)
      _sosie_words 'yes no'
      return
      ;;
    --log)
      _sosie_words 'auto json off'
      return
      ;;
    --progress)
      _sosie_words 'auto bar plain none'
      return
      ;;
    --simd)
      _sosie_words 'AMX AVX3_DL AVX2 SSE4'
      return
      ;;
    --color)
      _sosie_words 'auto always never'
      return
      ;;
    --files-from|--ids|--other-ids|--against|--rejects|--stopwords|--plan|--rules|--truth|--labels|--output|-o|--reuse|--parts|--removed|--removed-rows|--clusters|--pairs|--stats|--model|--report|--svg|--token-file|--scratch|--checkpoint)
      COMPREPLY=($(compgen -f -- "$word"))
      return
      ;;
    --delimiter|--quote|--escape|--skip-lines|--encoding|--column|--text|--id|--other-column|--other-id|--other-delimiter|--other-skip-lines|--other-encoding|--group-by|--element|--weight|--threshold|--within|--contained|--ignore-common|--recall|--bands|--d1|--d2|--p1|--p2|--seed|--ignore|--cut|--check-by|--suggest|--golden|--fields|--where|--part|--save|--rows|--cores|--machines|--show|--top|--top-pairs|--limit|--listen|--max-body|--timeout|--max-connections|--allow-host|--allow-origin|--threads|--memory|--scratch-limit)
      return
      ;;
  esac
  case ${COMP_WORDS[1]} in
    dedup|dedupe)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --ids --other-ids --other-format --other-column --other-id --other-delimiter --other-skip-lines --other-encoding --against --kind --ratings --represent --group-by --element --weight --on-bad-row --rejects --threshold --within --contained --measure --union --shingle --stopwords --ignore-common --tokens --clean --method --filters --recall --sketch --bands --construct --family --probes --plan --seed --audit --output --overwrite --keep --clustering --annotate --add --reuse --part --parts --removed --removed-rows --clusters --pairs --stats --report --save --dry-run --fail-if-duplicates --threads --memory --scratch --scratch-limit --checkpoint --progress --simd --quiet --help'
      ;;
    pairs)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --ids --other-ids --other-format --other-column --other-id --other-delimiter --other-skip-lines --other-encoding --against --kind --ratings --represent --group-by --element --weight --on-bad-row --rejects --threshold --within --measure --union --shingle --stopwords --ignore-common --tokens --clean --method --filters --recall --sketch --bands --construct --family --squares --probes --plan --seed --audit --output --reuse --stats --show --top --top-pairs --limit --threads --memory --scratch --scratch-limit --checkpoint --progress --simd --quiet --help'
      ;;
    query)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --ids --other-ids --other-format --other-column --other-id --other-delimiter --other-skip-lines --other-encoding --kind --ratings --represent --group-by --element --weight --on-bad-row --rejects --threshold --within --measure --union --shingle --stopwords --tokens --clean --method --filters --recall --sketch --bands --construct --family --squares --probes --plan --seed --audit --output --where --stats --show --top --top-pairs --exclude-self --limit --threads --memory --scratch --scratch-limit --progress --simd --quiet --help'
      ;;
    cluster)
      options='--threshold --within --output --clustering --memory --scratch --scratch-limit --quiet --help'
      ;;
    explain)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --other-format --other-column --other-id --other-delimiter --other-skip-lines --other-encoding --against --kind --ratings --represent --on-bad-row --threshold --within --contained --measure --union --shingle --stopwords --ignore-common --tokens --clean --method --recall --sketch --bands --construct --family --probes --plan --seed --rules --ignore --assign --cut --check-by --truth --output --keep --clustering --all --passages --threads --memory --scratch --scratch-limit --progress --simd --color --quiet --help'
      ;;
    plan)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --other-format --other-column --other-id --other-delimiter --other-skip-lines --other-encoding --against --kind --ratings --represent --group-by --element --weight --on-bad-row --threshold --within --measure --union --shingle --stopwords --tokens --clean --method --recall --sketch --bands --construct --family --squares --probes --d1 --d2 --p1 --p2 --seed --output --svg --verbose --index --rows --cores --machines --threads --memory --scratch --scratch-limit --simd --quiet --help'
      ;;
    sketch)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --kind --ratings --represent --on-bad-row --threshold --within --measure --union --shingle --stopwords --tokens --recall --sketch --plan --seed --output --keep --threads --memory --scratch --scratch-limit --progress --simd --quiet --help'
      ;;
    link)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --id --other-format --other-id --other-delimiter --other-skip-lines --other-encoding --against --on-bad-row --rules --init --ignore --assign --join-groups --cut --check-by --truth --labels --suggest --output --overwrite --keep --annotate --golden --reuse --clusters --pairs --stats --model --report --save --dry-run --threads --memory --scratch --scratch-limit --progress --simd --quiet --help'
      ;;
    index)
      options='--format --delimiter --quote --escape --skip-lines --no-header --follow --hidden --files-from --encoding --column --id --ids --kind --ratings --represent --on-bad-row --threshold --within --measure --union --shingle --stopwords --tokens --clean --method --recall --sketch --bands --family --probes --plan --seed --keep-items --fields --replace --skip-existing --threads --memory --scratch --scratch-limit --progress --simd --quiet --help'
      ;;
    serve)
      options='--listen --token-file --read-only --log --max-body --timeout --max-connections --allow-host --allow-origin --threads --memory --scratch --scratch-limit --quiet --help'
      ;;
    demo)
      options='--memory --scratch --scratch-limit --quiet --help'
      ;;
  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _sosie sosie

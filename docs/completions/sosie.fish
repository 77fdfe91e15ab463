# Made by sosie_docs from the table of options: run `make docs` instead of editing.
complete -c sosie -n __fish_use_subcommand -f -a dedup -d 'keep one row of each group of near-duplicates'
complete -c sosie -n __fish_use_subcommand -f -a pairs -d 'list every pair of similar items'
complete -c sosie -n __fish_use_subcommand -f -a query -d 'look up INPUT in DATA, best matches first; streams from a pipe'
complete -c sosie -n __fish_use_subcommand -f -a cluster -d 'form groups from pairs or links, at the same or a higher threshold'
complete -c sosie -n __fish_use_subcommand -f -a explain -d 'show why two rows are (not) duplicates, and what became of them'
complete -c sosie -n __fish_use_subcommand -f -a plan -d 'predict a run, with reasons: method, recall, time, memory, S-curve'
complete -c sosie -n __fish_use_subcommand -f -a sketch -d 'compute signatures of part of the input for other verbs to use'
complete -c sosie -n __fish_use_subcommand -f -a link -d 'link records that describe the same entity, within INPUT or with OTHER'
complete -c sosie -n __fish_use_subcommand -f -a index -d 'build and update an on-disk index for query and --against'
complete -c sosie -n __fish_use_subcommand -f -a serve -d 'serve an index, several as one, or a run to review, over HTTP (loopback by default)'
complete -c sosie -n __fish_use_subcommand -f -a demo -d 'run dedup on the installed sample and show what to try next'
complete -c sosie -n '__fish_seen_subcommand_from help' -f -a 'dedup dedupe pairs query cluster explain plan sketch link index serve demo'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l ids -d 'file with ids of vectors or bits, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-ids -d 'file with ids of --against, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-format -d 'input format of --against' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-column -d 'field with the text in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-id -d 'field that identifies a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-delimiter -d 'field separator of the CSV and TSV files in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-skip-lines -d 'lines above the CSV or TSV header of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l against -d 'also compare with this file, folder, pattern, sketches or indexes A,B; its rows win and are never written' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l group-by -d 'field that names the set, if rows are (set, element) pairs, in any order' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l rejects -d 'write the bad rows that were skipped or kept, with reasons' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l contained -d 'with --against: remove only rows that contain at least this share of an item\'s shingles' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l ignore-common -d 'ignore shingles or elements that occur in more than this share of the items' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l clean -d 'compare strings as is; with case and spaces folded; or folded and reduced to letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l method -d 'method for finding candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l filters -d 'filters used by --method exact; they affect speed, not the result' -x -a '(__fish_append , length prefix position suffix signature none)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l bands -d 'number of bands, and of rows per band; overrides the plan' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l construct -d 'AND and OR constructions in order, to any depth; and:R,or:B equals --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l family -d 'locality-sensitive hash family' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l probes -d 'average number of vertices probed per hash function (cross-polytope)' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l plan -d 'use a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l audit -d 'measure recall and precision on N rows drawn at random'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l overwrite -d 'allow a non-empty output folder (-o OUT/, --save RUN/): replace files of the same name, but stop if other files of an earlier run would remain or a review would be lost; all: remove these too'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l keep -d 'which row of a group to keep; ties are broken by input order; max and min put numbers before other values; with --measure containment the largest row is kept, and RULE decides among rows that contain each other' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l clustering -d 'star: every removed row is similar to its survivor; components: chains of similar rows form groups' -x -a 'star components'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l annotate -d 'add duplicate_of and cluster_size to kept rows, or to all rows and drop none' -x -a 'kept all'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l add -d 'add the kept rows to the --against index once they are written'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l reuse -d 'use sketches of all inputs; or pairs or edited clusters of an earlier run' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l part -d 'match only the I-th of N parts of the --reuse sketches; write the result to a folder' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l parts -d 'combine the output of all --part runs into the result of a single run' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l removed -d 'write the removed rows, each with its survivor' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l removed-rows -d 'write the removed rows unchanged, in input order and format' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l clusters -d 'write the groups of two or more rows; size includes a row of --against, which has no line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l pairs -d 'write all pairs, as `sosie pairs` does; costs more' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l stats -d 'write the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l report -d 'write an HTML page that shows what was removed and why' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l save -d 'save the groups in a folder, for review with `sosie serve RUN/`' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l dry-run -d 'do everything except write the kept rows'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l fail-if-duplicates -d 'exit 1 when a row was removed'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l checkpoint -d 'save progress in DIR; repeat the command to resume' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l ids -d 'file with ids of vectors or bits, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-ids -d 'file with ids of --against, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-format -d 'input format of --against' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-column -d 'field with the text in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-id -d 'field that identifies a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-delimiter -d 'field separator of the CSV and TSV files in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-skip-lines -d 'lines above the CSV or TSV header of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l against -d 'also compare with this file, folder, pattern, sketches or indexes A,B' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l group-by -d 'field that names the set, if rows are (set, element) pairs, in any order' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l rejects -d 'write the bad rows that were skipped or kept, with reasons' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l ignore-common -d 'ignore shingles or elements that occur in more than this share of the items' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l clean -d 'compare strings as is; with case and spaces folded; or folded and reduced to letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l method -d 'method for finding candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l filters -d 'filters used by --method exact; they affect speed, not the result' -x -a '(__fish_append , length prefix position suffix signature none)'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l bands -d 'number of bands, and of rows per band; overrides the plan' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l construct -d 'AND and OR constructions in order, to any depth; and:R,or:B equals --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l family -d 'locality-sensitive hash family' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l squares -d 'grid cells per function of --family grid-triples' -x -a '1 2 3 4 5 6 7 8'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l probes -d 'average number of vertices probed per hash function (cross-polytope)' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l plan -d 'use a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l audit -d 'measure recall and precision on N rows drawn at random'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l reuse -d 'use sketches of all inputs' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l stats -d 'write the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l show -d 'also show these fields of both rows' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l top -d 'only the K most similar partners of each left item; without OTHER, only among later rows' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l top-pairs -d 'only the K most similar pairs; sets and exact methods need no --threshold' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l limit -d 'exit 4 if there are more pairs, and write nothing (when streaming: nothing more)' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l checkpoint -d 'save progress in DIR; repeat the command to resume' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from query' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from query' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from query' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from query' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l ids -d 'file with ids of DATA, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-ids -d 'file with ids of INPUT, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-format -d 'input format of INPUT' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-column -d 'field with the text in INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-id -d 'field that identifies a row of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-delimiter -d 'of those in INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-skip-lines -d 'lines above that of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-encoding -d 'encoding of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from query' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from query' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from query' -l group-by -d 'field that names the set, if rows are (set, element) pairs, in any order' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from query' -l rejects -d 'write the bad rows that were skipped or kept, with reasons' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from query' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from query' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from query' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from query' -l clean -d 'compare strings as is; with case and spaces folded; or folded and reduced to letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from query' -l method -d 'method for finding candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from query' -l filters -d 'filters used by --method exact; they affect speed, not the result' -x -a '(__fish_append , length prefix position suffix signature none)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from query' -l bands -d 'number of bands, and of rows per band; overrides the plan' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l construct -d 'AND and OR constructions in order, to any depth; and:R,or:B equals --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l family -d 'locality-sensitive hash family' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from query' -l squares -d 'grid cells per function of --family grid-triples' -x -a '1 2 3 4 5 6 7 8'
complete -c sosie -n '__fish_seen_subcommand_from query' -l probes -d 'average number of vertices probed per hash function (cross-polytope)' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from query' -l plan -d 'use a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l audit -d 'measure recall and precision on N rows drawn at random'
complete -c sosie -n '__fish_seen_subcommand_from query' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l where -d 'return only indexed items whose stored field has this value' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l stats -d 'write the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l show -d 'also show these fields of both rows' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l top -d 'only the K most similar partners of each left item; without OTHER, only among later rows' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l top-pairs -d 'only the K most similar pairs; sets and exact methods need no --threshold' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l exclude-self -d 'skip the row of DATA that has the same id (or number, if rows have no ids)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l limit -d 'exit 4 if there are more pairs, and write nothing (when streaming: nothing more)' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from query' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from query' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l clustering -d 'star: every removed row is similar to its survivor; components: chains of similar rows form groups' -x -a 'star components'
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-format -d 'input format of --against' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-column -d 'field with the text in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-id -d 'field that identifies a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-delimiter -d 'field separator of the CSV and TSV files in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-skip-lines -d 'lines above the CSV or TSV header of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l against -d 'also compare with this file, folder, pattern, sketches or indexes A,B' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l contained -d 'with --against: remove only rows that contain at least this share of an item\'s shingles' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l ignore-common -d 'ignore shingles or elements that occur in more than this share of the items' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l clean -d 'compare strings as is; with case and spaces folded; or folded and reduced to letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l method -d 'method for finding candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l bands -d 'number of bands, and of rows per band; overrides the plan' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l construct -d 'AND and OR constructions in order, to any depth; and:R,or:B equals --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l family -d 'locality-sensitive hash family' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l probes -d 'average number of vertices probed per hash function (cross-polytope)' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l plan -d 'use a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l rules -d 'TOML file that defines fields, candidates and decision; `sosie link --init` writes one' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l ignore -d 'fields to ignore, such as ids or known entities' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l assign -d 'with --against: one-to-one, best partner of each left record, or all pairs at or above the cut; auto: one-to-one, or several on a side that clearly has copies; groups: add the records to the groups of OTHER, rows with cluster_id, by the weights of --model' -x -a 'auto one-to-one best all groups'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l cut -d 'lowest probability (as printed) of a link; auto: as many links as the model or the runners-up suggest; precision:P: as many as an estimated precision of P allows' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l check-by -d 'estimate precision and recall from a field that is not scored; auto: each in turn' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l truth -d 'measure precision and recall against known pairs of ids, or a field that names the entity' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l keep -d 'which row of a group to keep; ties are broken by input order; max and min put numbers before other values; with --measure containment the largest row is kept, and RULE decides among rows that contain each other' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l clustering -d 'star: every removed row is similar to its survivor; components: chains of similar rows form groups' -x -a 'star components'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l all -d 'also list the parts of both items, their signatures, bands and buckets'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l passages -d 'show the passages of the left text that also occur in the right one, with positions'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l color -d 'use colours instead of [-removed-] and {+added+}; auto: on a terminal' -x -a 'auto always never'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-format -d 'input format of --against' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-column -d 'field with the text in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-id -d 'field that identifies a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-delimiter -d 'field separator of the CSV and TSV files in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-skip-lines -d 'lines above the CSV or TSV header of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l against -d 'also compare with this file, folder, pattern, sketches or indexes A,B' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l group-by -d 'field that names the set, if rows are (set, element) pairs, in any order' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l clean -d 'compare strings as is; with case and spaces folded; or folded and reduced to letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l method -d 'method for finding candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l bands -d 'number of bands, and of rows per band; overrides the plan' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l construct -d 'AND and OR constructions in order, to any depth; and:R,or:B equals --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l family -d 'family to describe' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l squares -d 'grid cells per function of --family grid-triples' -x -a '1 2 3 4 5 6 7 8'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l probes -d 'average number of vertices probed per hash function (cross-polytope)' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l d1 -d 'with --family: distance up to which pairs should be found' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l d2 -d 'with --family: distance beyond which pairs should not be found' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l p1 -d 'without --family: probability that one function finds a pair that should be found' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l p2 -d 'probability that one function finds a pair that should not be found' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l svg -d 'write the S-curve as an SVG picture' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l verbose -d 'show everything: the cost of each method, the S-curve, sensitivity, errors'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l index -d 'also predict an index of these items, and of up to 10^10 similar ones'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l rows -d 'predict runs on N rows similar to those of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l cores -d 'also predict run times on N cores' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l machines -d 'also predict dedup in parts on K machines, of --cores each' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l plan -d 'use a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l keep -d 'which row of a group to keep; ties are broken by input order; max and min put numbers before other values; with --measure containment the largest row is kept, and RULE decides among rows that contain each other' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from link' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from link' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from link' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from link' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from link' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-format -d 'input format of --against' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-id -d 'field that identifies a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-delimiter -d 'field separator of the CSV and TSV files in --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-skip-lines -d 'lines above the CSV or TSV header of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l against -d 'file, folder or pattern of the other collection' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from link' -l rules -d 'TOML file that defines fields, candidates and decision; `sosie link --init` writes one' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l init -d 'write the rules chosen from the data, with comments, and link nothing'
complete -c sosie -n '__fish_seen_subcommand_from link' -l ignore -d 'fields to ignore, such as ids or known entities' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l assign -d 'with --against: one-to-one, best partner of each left record, or all pairs at or above the cut; auto: one-to-one, or several on a side that clearly has copies; groups: add the records to the groups of OTHER, rows with cluster_id, by the weights of --model' -x -a 'auto one-to-one best all groups'
complete -c sosie -n '__fish_seen_subcommand_from link' -l join-groups -d 'with --assign groups: if a new record belongs to several groups, merge them under the first id'
complete -c sosie -n '__fish_seen_subcommand_from link' -l cut -d 'lowest probability (as printed) of a link; auto: as many links as the model or the runners-up suggest; precision:P: as many as an estimated precision of P allows' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l check-by -d 'estimate precision and recall from a field that is not scored; auto: each in turn' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l truth -d 'measure precision and recall against known pairs of ids, or a field that names the entity' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l labels -d 'learn from pairs labelled by hand (left, right, label: 1 or 0), and follow the labels' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l suggest -d 'instead of links, write the N pairs whose labels would help most, for --labels' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l output -s o -d 'write the result to OUT, which appears once it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l overwrite -d 'allow a non-empty output folder (-o OUT/, --save RUN/): replace files of the same name, but stop if other files of an earlier run would remain or a review would be lost; all: remove these too'
complete -c sosie -n '__fish_seen_subcommand_from link' -l keep -d 'which row of a group to keep; ties are broken by input order; max and min put numbers before other values; with --measure containment the largest row is kept, and RULE decides among rows that contain each other' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from link' -l annotate -d 'write the rows, with cluster_id, cluster_size and probability, or linked_id' -x -a 'kept all'
complete -c sosie -n '__fish_seen_subcommand_from link' -l golden -d 'write one row per group, with the best value for each field, cluster_id and cluster_size; RULE: longest, shortest, newest, oldest, newest:OTHER (from the row with the highest value of OTHER), most-frequent, source:FILE|FILE, source:OTHER=VALUE|VALUE; default: first' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l reuse -d 'apply a person\'s decisions on pairs or groups' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l clusters -d 'write the group of every row' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l pairs -d 'write the linked pairs' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l stats -d 'write the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l model -d 'write the weights to a file, for rules with [score] model = "FILE.json" or for --assign groups' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l report -d 'what was linked and why' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l save -d 'save pairs and groups in a folder, for review with `sosie serve RUN/`' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l dry-run -d 'only count the candidates, with their cost'
complete -c sosie -n '__fish_seen_subcommand_from link' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from link' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from link' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from index; and not __fish_seen_subcommand_from build add remove merge compact info check' -f -a 'build add remove merge compact info check'
complete -c sosie -n '__fish_seen_subcommand_from index' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets wet fps files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from index' -l delimiter -d 'field separator of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l quote -d 'character that quotes CSV fields; none: treat quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l escape -d 'escape character of CSV files, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l skip-lines -d 'lines above the CSV or TSV header, such as a title; they are copied above the kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l no-header -d 'CSV and TSV files have no header; fields are named 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from index' -l follow -d 'follow symbolic links inside input folders'
complete -c sosie -n '__fish_seen_subcommand_from index' -l hidden -d 'also read hidden files in input folders (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from index' -l files-from -d 'read input paths from this file, one per line or NUL-separated (-: standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l encoding -d 'input encoding; auto: detect it per file; kept rows are written in the same encoding' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l column -d 'field with the text: a.b, a[].b (nested), a|b (first present), a,b (joined)' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l id -d 'field that identifies a row; row: its number; file:row: file and number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l ids -d 'file with ids of vectors, bits or items to remove, one per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from index' -l ratings -d 'turn rated elements into sets: drop those below R, split liked and hated, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from index' -l represent -d 'elements are points X,Y or X,Y,ANGLE; replace each by its grid cell, or by both cells near a border' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from index' -l on-bad-row -d 'when a row cannot be read: stop, skip it, or keep it unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from index' -l threshold -d 'minimum similarity (inclusive); decided exactly, without rounding (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l within -d 'maximum distance (inclusive): degrees for angle, edits for strings, 1 - jaccard for sets' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l measure -d 'similarity or distance measure' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from index' -l union -d 'bag-jaccard: the union counts an element as often as the larger bag, or both bags together' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from index' -l shingle -d 'unit and length of the shingles' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from index' -l stopwords -d 'stop words for --shingle stopwords:N: a language, or a file with one word per line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l tokens -d 'rules for splitting text into words: unicode (case folded), raw (case kept) or ascii; except in ascii, each character of Chinese, Japanese, Thai, Khmer and similar scripts is a word' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from index' -l clean -d 'compare strings as is; with case and spaces folded; or folded and reduced to letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from index' -l method -d 'method for finding candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from index' -l recall -d 'expected share of the pairs at the threshold that are found; 1: every pair' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l sketch -d 'minhash: one permutation, or one hash function per component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from index' -l bands -d 'number of bands, and of rows per band; overrides the plan' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l family -d 'locality-sensitive hash family' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from index' -l probes -d 'average number of vertices probed per hash function (cross-polytope)' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from index' -l plan -d 'use a plan saved by `sosie plan -o`; info: write the plan of the index' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l keep-items -d 'store the compared part of each item; no: read it from the input files, which must remain in place' -x -a 'yes no'
complete -c sosie -n '__fish_seen_subcommand_from index' -l fields -d 'build: store these fields for query --where' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l replace -d 'add: replace items that have the same ids'
complete -c sosie -n '__fish_seen_subcommand_from index' -l skip-existing -d 'add: skip items whose ids exist already, so that the command can be repeated'
complete -c sosie -n '__fish_seen_subcommand_from index' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from index' -l simd -d 'instruction set of the inner loops; does not change the result' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from index' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from serve' -l listen -d 'address to listen on; beyond loopback, --token-file is required' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l token-file -d 'file with the secret that requests must send (Authorization: Bearer SECRET)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from serve' -l read-only -d 'serve without changing the index, so that another process may write to it'
complete -c sosie -n '__fish_seen_subcommand_from serve' -l log -d 'json: log every request to standard error; auto: on a terminal only failed requests, otherwise json' -x -a 'auto json off'
complete -c sosie -n '__fish_seen_subcommand_from serve' -l max-body -d 'largest request body' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l timeout -d 'time limit for receiving a request, and for sending its response' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l max-connections -d 'maximum number of open connections' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l allow-host -d 'also accept this Host header' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l allow-origin -d 'allow requests from pages of this origin, such as https://example.org' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l threads -d 'number of worker threads; does not change the result' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from serve' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from demo' -l memory -d 'memory limit, exceeded by at most 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from demo' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from demo' -l scratch-limit -d 'maximum space for temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from demo' -l quiet -s q -d 'no summary and no progress'

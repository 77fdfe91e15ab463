# Made by sosie_docs from the table of options: run `make docs` instead of editing.
complete -c sosie -n __fish_use_subcommand -f -a dedup -d 'keep one of each group of near-duplicates'
complete -c sosie -n __fish_use_subcommand -f -a pairs -d 'every pair of similar items'
complete -c sosie -n __fish_use_subcommand -f -a query -d 'items of DATA that are similar to each item of INPUT, best first; of a pipe, row by row'
complete -c sosie -n __fish_use_subcommand -f -a cluster -d 'groups from verified pairs or from link, at any threshold not below the one of the pairs'
complete -c sosie -n __fish_use_subcommand -f -a explain -d 'why two rows are (not) near-duplicates or one entity, and what became of them'
complete -c sosie -n __fish_use_subcommand -f -a plan -d 'predicts a run and says why: method, recall, time, memory, S-curve'
complete -c sosie -n __fish_use_subcommand -f -a sketch -d 'signatures of a part of the input, for --reuse, --against and query'
complete -c sosie -n __fish_use_subcommand -f -a link -d 'records of the same entity, within INPUT or between INPUT and OTHER'
complete -c sosie -n __fish_use_subcommand -f -a index -d 'a folder of items that query and pairs --against look up, and that grows and shrinks'
complete -c sosie -n __fish_use_subcommand -f -a serve -d 'an index, or a run to review, over HTTP; on loopback by default'
complete -c sosie -n __fish_use_subcommand -f -a demo -d 'dedup of a sample that is installed with it, and what to try next'
complete -c sosie -n '__fish_seen_subcommand_from help' -f -a 'dedup dedupe pairs query cluster explain plan sketch link index serve demo'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l ids -d 'ids of vectors or bits without ids, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-ids -d 'ids of the rows of --against, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-column -d 'field that holds the text of the rows of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-id -d 'field that names a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-delimiter -d 'field separator of CSV and TSV of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l against -d 'also compare with this file, folder, pattern, sketches; its rows win, and are not written' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l group-by -d 'rows are (set, element) pairs, in any order: the field that names the set' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l rejects -d 'write bad rows that did not stop the run, with reasons' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l contained -d 'with --against: remove the rows that hold an item of it, to this part of its shingles, and no others' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l ignore-common -d 'leave out the shingles or elements that more than this part of the items have' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l clean -d 'part of a string that is compared: all; case and runs of blanks folded; of this only letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l method -d 'method that finds candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l filters -d 'filters of --method exact; the result does not depend on them' -x -a '(__fish_append , length prefix position suffix signature none)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l bands -d 'bands and rows a band, in place of the planner\'s' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l construct -d 'AND- and OR-constructions of any depth, in order; and:R,or:B is --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l family -d 'locality-sensitive family that hashes the items' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l probes -d 'vertices a function of --family cross-polytope looks a vector up under, on average' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l plan -d 'take a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l audit -d 'measure recall and precision on N documents drawn from the input'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l overwrite -d 'write into a folder (-o OUT/, --save RUN/) that holds files: replace those of the same names, and stop where others of an earlier run, or a review, would be left or lost; all: remove these, too'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l keep -d 'which row of a group is kept; ties: input order; max, min: numbers before other values; --measure containment: of rows that contain each other (default: the largest)' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l clustering -d 'star: every removed row is similar to its survivor; components: chains are groups' -x -a 'star components'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l annotate -d 'add duplicate_of and cluster_size to kept rows, or to all rows and drop none' -x -a 'kept all'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l add -d 'add the kept rows to the index that --against names, when they are written'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l reuse -d 'sketches of all inputs; or pairs or edited clusters of an earlier run' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l removed -d 'removed rows, each with its survivor' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l removed-rows -d 'removed rows as they came, in input order, in the format of the input' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l clusters -d 'groups of two rows or more; size counts an item of --against, which has no line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l pairs -d 'all pairs as `sosie pairs` gives them; costs more' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l stats -d 'the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l report -d 'page on what was removed, and why (.html)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l save -d 'keep groups and places of rows in a folder, for a page on which a person reviews them' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l dry-run -d 'do everything but write kept rows'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l fail-if-duplicates -d 'exit 1 when a row was removed'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l checkpoint -d 'save progress in DIR; rerun the same command to resume' -r -F
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from dedup dedupe' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l ids -d 'ids of vectors or bits without ids, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-ids -d 'ids of the rows of --against, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-column -d 'field that holds the text of the rows of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-id -d 'field that names a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-delimiter -d 'field separator of CSV and TSV of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l against -d 'also compare with this file, folder, pattern, sketches' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l group-by -d 'rows are (set, element) pairs, in any order: the field that names the set' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l rejects -d 'write bad rows that did not stop the run, with reasons' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l ignore-common -d 'leave out the shingles or elements that more than this part of the items have' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l clean -d 'part of a string that is compared: all; case and runs of blanks folded; of this only letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l method -d 'method that finds candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l filters -d 'filters of --method exact; the result does not depend on them' -x -a '(__fish_append , length prefix position suffix signature none)'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l bands -d 'bands and rows a band, in place of the planner\'s' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l construct -d 'AND- and OR-constructions of any depth, in order; and:R,or:B is --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l family -d 'locality-sensitive family that hashes the items' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l squares -d 'squares that a function of --family grid-triples names' -x -a '1 2 3 4 5 6 7 8'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l probes -d 'vertices a function of --family cross-polytope looks a vector up under, on average' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l plan -d 'take a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l audit -d 'measure recall and precision on N documents drawn from the input'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l reuse -d 'sketches of all inputs' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l stats -d 'the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l show -d 'add these fields of both rows' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l top -d 'only the K most similar partners of each left item' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l top-pairs -d 'only the K most similar pairs; exact methods and sets need no --threshold for it' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l limit -d 'exit 4 and write nothing (row by row: nothing more) when there are more pairs' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l checkpoint -d 'save progress in DIR; rerun the same command to resume' -r -F
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from pairs' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from query' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from query' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from query' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from query' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l ids -d 'ids of DATA, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-ids -d 'ids of INPUT, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-column -d 'field that holds the text of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-id -d 'field that names a row of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-delimiter -d 'field separator of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l other-encoding -d 'encoding of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from query' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from query' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from query' -l group-by -d 'rows are (set, element) pairs, in any order: the field that names the set' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from query' -l rejects -d 'write bad rows that did not stop the run, with reasons' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from query' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from query' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from query' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from query' -l clean -d 'part of a string that is compared: all; case and runs of blanks folded; of this only letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from query' -l method -d 'method that finds candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from query' -l filters -d 'filters of --method exact; the result does not depend on them' -x -a '(__fish_append , length prefix position suffix signature none)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from query' -l bands -d 'bands and rows a band, in place of the planner\'s' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l construct -d 'AND- and OR-constructions of any depth, in order; and:R,or:B is --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from query' -l family -d 'locality-sensitive family that hashes the items' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from query' -l squares -d 'squares that a function of --family grid-triples names' -x -a '1 2 3 4 5 6 7 8'
complete -c sosie -n '__fish_seen_subcommand_from query' -l probes -d 'vertices a function of --family cross-polytope looks a vector up under, on average' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from query' -l plan -d 'take a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l audit -d 'measure recall and precision on N documents drawn from the input'
complete -c sosie -n '__fish_seen_subcommand_from query' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l where -d 'only items of an index in which a field that it keeps has this value' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l stats -d 'the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l show -d 'add these fields of both rows' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l top -d 'only the K most similar partners of each left item' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l exclude-self -d 'leave out the row of DATA that has the item\'s id, or its number where rows have none'
complete -c sosie -n '__fish_seen_subcommand_from query' -l limit -d 'exit 4 and write nothing (row by row: nothing more) when there are more pairs' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from query' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from query' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from query' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from query' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l clustering -d 'star: every removed row is similar to its survivor; components: chains are groups' -x -a 'star components'
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from cluster' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-column -d 'field that holds the text of the rows of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-id -d 'field that names a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-delimiter -d 'field separator of CSV and TSV of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l against -d 'also compare with this file, folder, pattern, sketches' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l contained -d 'with --against: remove the rows that hold an item of it, to this part of its shingles, and no others' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l ignore-common -d 'leave out the shingles or elements that more than this part of the items have' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l clean -d 'part of a string that is compared: all; case and runs of blanks folded; of this only letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l method -d 'method that finds candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l bands -d 'bands and rows a band, in place of the planner\'s' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l construct -d 'AND- and OR-constructions of any depth, in order; and:R,or:B is --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l family -d 'locality-sensitive family that hashes the items' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l probes -d 'vertices a function of --family cross-polytope looks a vector up under, on average' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l plan -d 'take a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l rules -d 'fields, candidates and decision in TOML; --init writes a first one' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l ignore -d 'fields that are not looked at: ids, what is known of the entities' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l assign -d 'with --against: each record has one partner at most, each left record its best one, or all pairs at or above the cut are links; auto: one, or several on a side that clearly has copies' -x -a 'auto one-to-one best all'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l cut -d 'least probability of a link; auto: as many as the model or the runners-up say; precision:P: of the most links of which a part P is true' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l check-by -d 'estimate precision and recall from a field that is not scored; auto: each in turn' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l truth -d 'measure precision and recall: pairs of ids, or a field that names the entity' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l keep -d 'which row of a group is kept; ties: input order; max, min: numbers before other values; --measure containment: of rows that contain each other (default: the largest)' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l clustering -d 'star: every removed row is similar to its survivor; components: chains are groups' -x -a 'star components'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l all -d 'also list the parts of both items, their signatures, bands and buckets'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l passages -d 'show what the left text has from the right one, in any order, with the positions'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from explain' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from explain' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l color -d 'colours in place of [-removed-] and {+added+}; auto: on a terminal' -x -a 'auto always never'
complete -c sosie -n '__fish_seen_subcommand_from explain' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-column -d 'field that holds the text of the rows of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-id -d 'field that names a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-delimiter -d 'field separator of CSV and TSV of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l against -d 'also compare with this file, folder, pattern, sketches' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l group-by -d 'rows are (set, element) pairs, in any order: the field that names the set' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l element -d 'with --group-by: field that holds the element' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l weight -d 'with --group-by: field with the multiplicity, or with --ratings the rating' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l clean -d 'part of a string that is compared: all; case and runs of blanks folded; of this only letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l method -d 'method that finds candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l bands -d 'bands and rows a band, in place of the planner\'s' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l construct -d 'AND- and OR-constructions of any depth, in order; and:R,or:B is --bands BxR' -x -a '(__fish_append , and: or:)'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l family -d 'family to describe' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l squares -d 'squares that a function of --family grid-triples names' -x -a '1 2 3 4 5 6 7 8'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l probes -d 'vertices a function of --family cross-polytope looks a vector up under, on average' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l d1 -d 'distance up to which --family should find pairs' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l d2 -d 'distance from which on --family should not find them' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l p1 -d 'probability that one function finds a pair that should be found, without a family' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l p2 -d 'probability that one function finds a pair that should not be found' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l svg -d 'the S-curve as a picture' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l verbose -d 'all that is known: costs of each method, the S-curve, sensitivity, errors'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l index -d 'also say what an index of these items would take, and of up to 10^10 like them'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l rows -d 'predict runs on N rows like the ones of INPUT' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l cores -d 'also say how long runs take on a machine with N cores' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from plan' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from plan' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from plan' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l plan -d 'take a plan saved by `sosie plan -o`' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l keep -d 'which row of a group is kept; ties: input order; max, min: numbers before other values; --measure containment: of rows that contain each other (default: the largest)' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from sketch' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from link' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from link' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from link' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from link' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from link' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-id -d 'field that names a row of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-delimiter -d 'field separator of CSV and TSV of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l other-encoding -d 'encoding of --against' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l against -d 'file, folder or pattern of the other collection' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from link' -l rules -d 'fields, candidates and decision in TOML; --init writes a first one' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l init -d 'write the rules that are chosen from the data, with comments, and link nothing'
complete -c sosie -n '__fish_seen_subcommand_from link' -l ignore -d 'fields that are not looked at: ids, what is known of the entities' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l assign -d 'with --against: each record has one partner at most, each left record its best one, or all pairs at or above the cut are links; auto: one, or several on a side that clearly has copies' -x -a 'auto one-to-one best all'
complete -c sosie -n '__fish_seen_subcommand_from link' -l cut -d 'least probability of a link; auto: as many as the model or the runners-up say; precision:P: of the most links of which a part P is true' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l check-by -d 'estimate precision and recall from a field that is not scored; auto: each in turn' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l truth -d 'measure precision and recall: pairs of ids, or a field that names the entity' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l output -s o -d 'write the result to OUT, which appears when it is complete' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l overwrite -d 'write into a folder (-o OUT/, --save RUN/) that holds files: replace those of the same names, and stop where others of an earlier run, or a review, would be left or lost; all: remove these, too'
complete -c sosie -n '__fish_seen_subcommand_from link' -l keep -d 'which row of a group is kept; ties: input order; max, min: numbers before other values; --measure containment: of rows that contain each other (default: the largest)' -x -a '(__fish_append , first last longest shortest max: min:)'
complete -c sosie -n '__fish_seen_subcommand_from link' -l annotate -d 'write the rows, with cluster_id, cluster_size and probability, or linked_id' -x -a 'kept all'
complete -c sosie -n '__fish_seen_subcommand_from link' -l clusters -d 'groups of all rows' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l pairs -d 'the linked pairs' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l stats -d 'the summary as JSON' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l model -d 'the weights of levels, for rules with [score] model = "FILE.json"' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l report -d 'page on what was linked, and why (.html)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l dry-run -d 'find the candidates alone, and say what they cost'
complete -c sosie -n '__fish_seen_subcommand_from link' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from link' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from link' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from link' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from link' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from index; and not __fish_seen_subcommand_from build add remove merge compact info check' -f -a 'build add remove merge compact info check'
complete -c sosie -n '__fish_seen_subcommand_from index' -l format -d 'input format; overrides file extensions' -x -a 'jsonl csv tsv txt sets files parquet arrow npy fvecs bvecs ivecs'
complete -c sosie -n '__fish_seen_subcommand_from index' -l delimiter -d 'character between the fields of CSV and TSV' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l quote -d 'character around fields of CSV; none reads quotes as text' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l escape -d 'character that makes the next one text inside quotes of CSV, such as a backslash' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l skip-lines -d 'lines above the header of CSV and TSV, such as a title; they stay above kept rows' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l no-header -d 'CSV and TSV begin with a row, not with names: the fields are called 1, 2 and so on'
complete -c sosie -n '__fish_seen_subcommand_from index' -l follow -d 'follow symbolic links inside of input folders'
complete -c sosie -n '__fish_seen_subcommand_from index' -l hidden -d 'read hidden files inside of input folders, too (.name, name~, .crc, _SUCCESS)'
complete -c sosie -n '__fish_seen_subcommand_from index' -l files-from -d 'read more inputs from this file, a path a line or between NULs (- for standard input)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l encoding -d 'encoding of all inputs; auto detects it per file; kept rows leave in it' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l column -d 'field of the text: a.b or a[].b inside, a|b the first a row has, a,b joined' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l id -d 'field that names a row; row: its number; file:row: its file and its number in it' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l ids -d 'ids of vectors or bits without ids, or of the items to remove, one a line' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l kind -d 'kind of the items' -x -a 'text sets bags vectors bits strings records'
complete -c sosie -n '__fish_seen_subcommand_from index' -l ratings -d 'rule that makes rated elements a set: drop below R, like and hate, or repeat' -x -a 'drop: liked-hated: bag'
complete -c sosie -n '__fish_seen_subcommand_from index' -l represent -d 'the elements are points X,Y or X,Y,ANGLE: make sets of the squares of a grid that they lie in; near a border, of both' -x -a 'grid: border: size: directions:'
complete -c sosie -n '__fish_seen_subcommand_from index' -l on-bad-row -d 'reaction to a row that cannot be read: stop, leave it out, or pass it through unmatched' -x -a 'stop skip keep'
complete -c sosie -n '__fish_seen_subcommand_from index' -l threshold -d 'minimum similarity (inclusive), decided exactly as written (0.8, 4/5)' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l within -d 'maximum distance (inclusive): of distance measures (angle: degrees; strings: a whole number), or 1 - jaccard' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l measure -d 'measure of similarity or distance' -x -a 'jaccard bag-jaccard dice overlap containment cosine tversky: angle euclidean manhattan chebyshev minkowski: canberra hamming dot levenshtein indel osa damerau'
complete -c sosie -n '__fish_seen_subcommand_from index' -l union -d 'bag-jaccard: an element counts in the union as often as in the bag with more, or in both' -x -a 'max sum'
complete -c sosie -n '__fish_seen_subcommand_from index' -l shingle -d 'unit and length of the shingles that make a text a set' -x -a 'words: chars: stopwords:'
complete -c sosie -n '__fish_seen_subcommand_from index' -l stopwords -d 'the words that begin a shingle under --shingle stopwords:N (a file: one a line)' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l tokens -d 'rules that cut text into words: Unicode (each character of Chinese, Japanese, Thai, Khmer and the like is a word), folded (unicode) or not (raw); or plain ASCII' -x -a 'unicode raw ascii'
complete -c sosie -n '__fish_seen_subcommand_from index' -l clean -d 'part of a string that is compared: all; case and runs of blanks folded; of this only letters, marks and digits' -x -a 'none fold alnum'
complete -c sosie -n '__fish_seen_subcommand_from index' -l method -d 'method that finds candidate pairs' -x -a 'auto lsh exact brute'
complete -c sosie -n '__fish_seen_subcommand_from index' -l recall -d 'part of the pairs at the threshold that must be found; 1 means every one' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l sketch -d 'minhash functions: one permutation, or a hash function for each component (slow)' -x -a 'permfill classic'
complete -c sosie -n '__fish_seen_subcommand_from index' -l bands -d 'bands and rows a band, in place of the planner\'s' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l family -d 'locality-sensitive family that hashes the items' -x -a 'minhash bit-sampling hyperplane hyperplane-signs hyperplane-rotation cross-polytope gaussian-segments cauchy-segments grid-triples'
complete -c sosie -n '__fish_seen_subcommand_from index' -l probes -d 'vertices a function of --family cross-polytope looks a vector up under, on average' -x -a '1 1.25 1.5 2 3'
complete -c sosie -n '__fish_seen_subcommand_from index' -l plan -d 'take a plan saved by `sosie plan -o`; info: write that of the index' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l seed -d 'seed of the hash functions; equal seeds give equal results' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l keep-items -d 'keep what is compared of each item; no: read it again from the files, which must stay' -x -a 'yes no'
complete -c sosie -n '__fish_seen_subcommand_from index' -l fields -d 'build: keep these fields of the rows, for query --where' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l replace -d 'add: items whose ids are there already take the place of those'
complete -c sosie -n '__fish_seen_subcommand_from index' -l skip-existing -d 'add: leave out items whose ids are there already; the command can be repeated'
complete -c sosie -n '__fish_seen_subcommand_from index' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from index' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from index' -l progress -d 'bar, plain lines every 30 s, or none; auto: a bar on a terminal, else plain' -x -a 'auto bar plain none'
complete -c sosie -n '__fish_seen_subcommand_from index' -l simd -d 'instruction set of the inner loops; the result does not depend on it' -x -a 'AMX AVX3_DL AVX2 SSE4'
complete -c sosie -n '__fish_seen_subcommand_from index' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from serve' -l listen -d 'address to answer at; off loopback --token-file is needed' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l token-file -d 'file with the secret that requests bring: Authorization: Bearer SECRET' -r -F
complete -c sosie -n '__fish_seen_subcommand_from serve' -l read-only -d 'refuse whatever changes the index, which another process may write then'
complete -c sosie -n '__fish_seen_subcommand_from serve' -l log -d 'json: a line of JSON for every request on standard error; auto: on a terminal a line for each that failed, else json' -x -a 'auto json off'
complete -c sosie -n '__fish_seen_subcommand_from serve' -l max-body -d 'largest body of a request; larger ones are refused' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l timeout -d 'time within which a request must arrive, and an answer be taken' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l max-connections -d 'connections held at once; more are refused' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l allow-host -d 'name that requests may call this service by, besides the address it listens at' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l allow-origin -d 'origin of pages of other sites that may send requests, such as https://example.org' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l threads -d 'worker threads; the result does not depend on it' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from serve' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from serve' -l quiet -s q -d 'no summary and no progress'
complete -c sosie -n '__fish_seen_subcommand_from demo' -l memory -d 'memory limit; may be exceeded by 64M (below 256M: best effort)' -x
complete -c sosie -n '__fish_seen_subcommand_from demo' -l scratch -d 'folder for temporary files' -r -F
complete -c sosie -n '__fish_seen_subcommand_from demo' -l scratch-limit -d 'limit of temporary files' -x
complete -c sosie -n '__fish_seen_subcommand_from demo' -l quiet -s q -d 'no summary and no progress'

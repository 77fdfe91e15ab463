#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                              std::size_t most);

// Mutates inputs of the command-line targets (command_line.h): in half of the cases only bytes of
// the files, so that meaningful arguments survive, and in a quarter of the cases an argument.
namespace sosie::fuzz {

using Random = std::minstd_rand;

inline constexpr std::array kVerbNames = {
    "dedup", "pairs", "query", "cluster", "explain a b", "plan", "sketch --plan=in.json", "dedup"};
inline constexpr std::array kInputNames = {
    "in.jsonl",   "in.csv",      "in.tsv",        "in.txt",       "in.sets",     "in.npy",
    "in.fvecs",   "in.jsonl.gz", "in.csv.zst",    "raw.jsonl.gz", "raw.txt.zst", "in.bvecs",
    "in.ivecs",   "other.jsonl", "other.csv",     "docs",         "-",           "*",
    "in.parquet", "in.arrow",    "other.parquet", "other.npy",    "in.txt.gz",   "."};
inline constexpr std::array kOptions = {"--on-bad-row=skip",
                                        "--on-bad-row=keep",
                                        "--on-bad-row=stop",
                                        "--rejects=rejects.tsv",
                                        "--rejects=rejects.jsonl",
                                        "--kind=text",
                                        "--kind=sets",
                                        "--kind=bags",
                                        "--kind=bits",
                                        "--kind=vectors",
                                        "--threshold=0.5",
                                        "--threshold=1",
                                        "--threshold=1/100",
                                        "--within=3",
                                        "--within=0.5",
                                        "--measure=cosine",
                                        "--measure=euclidean",
                                        "--measure=hamming",
                                        "--measure=angle",
                                        "--measure=dot",
                                        "--measure=manhattan",
                                        "--measure=minkowski:3",
                                        "--measure=bag-jaccard",
                                        "--measure=containment",
                                        "--measure=overlap",
                                        "--measure=dice",
                                        "--union=sum",
                                        "--shingle=chars:3",
                                        "--shingle=words:1",
                                        "--shingle=words:64",
                                        "--shingle=stopwords:2",
                                        "--tokens=ascii",
                                        "--method=lsh",
                                        "--method=exact",
                                        "--method=brute",
                                        "--filters=none",
                                        "--recall=1",
                                        "--recall=0.5",
                                        "--sketch=classic",
                                        "--bands=4x2",
                                        "--construct=and:2,or:3,and:2",
                                        "--family=cross-polytope",
                                        "--probes=2",
                                        "--family=hyperplane-rotation",
                                        "--seed=7",
                                        "--audit",
                                        "--keep=longest",
                                        "--keep=max:n,last",
                                        "--clustering=components",
                                        "--annotate=all",
                                        "--annotate=kept",
                                        "--removed=removed.tsv",
                                        "--removed-rows=removed_rows.out",
                                        "--clusters=clusters.csv",
                                        "--pairs=pairs.jsonl",
                                        "--report=report.html",
                                        "--dry-run",
                                        "--fail-if-duplicates",
                                        "--show=id,text,n",
                                        "--top=1",
                                        "--top-pairs=2",
                                        "--limit=3",
                                        "--column=text,id",
                                        "--column=a.b",
                                        "--column=1",
                                        "--id=row",
                                        "--id=id",
                                        "--delimiter=;",
                                        "--quote=none",
                                        "--escape=\\",
                                        "--skip-lines=1",
                                        "--no-header",
                                        "--encoding=auto",
                                        "--encoding=latin-1",
                                        "--encoding=utf-16",
                                        "--encoding=utf-32",
                                        "--format=jsonl",
                                        "--format=csv",
                                        "--format=files",
                                        "--format=sets",
                                        "--group-by=id",
                                        "--element=text",
                                        "--weight=n",
                                        "--ratings=drop:3",
                                        "--ratings=liked-hated:3",
                                        "--ratings=bag",
                                        "--against=other.jsonl",
                                        "--against=other.csv",
                                        "--ids=other.txt",
                                        "--follow",
                                        "--files-from=other.txt",
                                        "--checkpoint=kept",
                                        "-o=out",
                                        "--output=out.jsonl",
                                        "--output=out.csv",
                                        "--reuse=other.tsv",
                                        "--plan=other.json",
                                        "--scratch-limit=1000",
                                        "--memory=1M",
                                        "--progress=plain",
                                        "--quiet",
                                        "--svg=s.svg",
                                        "--stopwords=other.txt",
                                        "--color=always"};

template <std::size_t Count>
std::string one_of(const std::array<const char*, Count>& names, Random& random) {
  return names.at(random() % Count);
}

inline std::string changed_head(std::string_view head, Random& random) {
  std::vector<std::string> words;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find(' '), head.size());
    words.emplace_back(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  if (words.empty()) words.emplace_back();
  std::string& word = words.at(random() % words.size());
  switch (random() % 8) {
    case 0:
      words.front() = one_of(kVerbNames, random);
      break;
    case 1:
      word += " " + one_of(kInputNames, random);
      break;
    case 2:
      if (words.size() > 1) word.clear();
      break;
    case 3:
      if (!word.starts_with('-') && words.size() > 1) word = one_of(kInputNames, random);
      break;
    default:
      words.push_back(one_of(kOptions, random));
  }
  std::string out;
  for (const std::string& each : words) {
    if (!each.empty()) out += (out.empty() ? "" : " ") + each;
  }
  return out;
}

inline std::size_t mutate_command_line(std::uint8_t* data, std::size_t size, std::size_t most,
                                       unsigned seed) {
  Random random(seed);
  const std::string whole(reinterpret_cast<const char*>(data), size);
  const std::size_t end = whole.find('\n');
  const unsigned what = random() % 4;
  if (what == 3 || end == std::string::npos) return LLVMFuzzerMutate(data, size, most);
  if (what == 2) {
    std::string out = changed_head(std::string_view(whole).substr(0, end), random);
    out += whole.substr(end);
    const std::size_t taken = std::min(most, out.size());
    std::memcpy(data, out.data(), taken);
    return taken;
  }
  const std::size_t head = end + 1;
  if (head >= most) return size;
  return head + LLVMFuzzerMutate(data + head, size - head, most - head);
}

}  // namespace sosie::fuzz

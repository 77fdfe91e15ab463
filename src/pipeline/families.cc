#include "pipeline/families.h"

#include <algorithm>

// TABLE: every similarity family, once.
namespace sosie {
namespace {

constexpr std::array kFamilies = {
    Family{.kind = "text",
           .measure = "jaccard",
           .representation = "sets of word or character shingles",
           .sketch = "minhash",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.2 to 3.4"},
    Family{.kind = "text",
           .measure = "bag-jaccard",
           .representation = "bags of shingles",
           .sketch = "minhash",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.1.3"},
    Family{.kind = "text",
           .measure = "dice",
           .representation = "sets of word or character shingles",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Dice 1945"},
    Family{.kind = "text",
           .measure = "overlap",
           .representation = "sets of word or character shingles",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Szymkiewicz 1934; Simpson 1943"},
    Family{.kind = "text",
           .measure = "containment",
           .representation = "sets of word or character shingles",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Broder 1997"},
    Family{.kind = "text",
           .measure = "cosine",
           .representation = "sets of word or character shingles",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Ochiai 1957"},
    Family{.kind = "sets",
           .measure = "jaccard",
           .representation = "sets of elements",
           .sketch = "minhash",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.1.1"},
    Family{.kind = "sets",
           .measure = "dice",
           .representation = "sets of elements",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Dice 1945"},
    Family{.kind = "sets",
           .measure = "overlap",
           .representation = "sets of elements",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Szymkiewicz 1934; Simpson 1943"},
    Family{.kind = "sets",
           .measure = "containment",
           .representation = "sets of elements",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Broder 1997"},
    Family{.kind = "sets",
           .measure = "cosine",
           .representation = "sets of elements",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "Ochiai 1957"},
    Family{.kind = "bags",
           .measure = "bag-jaccard",
           .representation = "bags of elements",
           .sketch = "minhash",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.1.3"},
    Family{.kind = "vectors",
           .measure = "cosine",
           .representation = "vectors of one dimension",
           .sketch = "hyperplane",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.5.4"},
    Family{.kind = "vectors",
           .measure = "angle",
           .representation = "vectors of one dimension",
           .sketch = "hyperplane",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.5.4"},
    Family{.kind = "vectors",
           .measure = "euclidean",
           .representation = "vectors of one dimension",
           .sketch = "gaussian-segments",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.5.2"},
    Family{.kind = "vectors",
           .measure = "manhattan",
           .representation = "vectors of one dimension",
           .sketch = "cauchy-segments",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.5.2"},
    Family{.kind = "vectors",
           .measure = "chebyshev",
           .representation = "vectors of one dimension",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "MMDS 3.5.2"},
    Family{.kind = "bits",
           .measure = "hamming",
           .representation = "bit strings of one length",
           .sketch = "bit-sampling",
           .methods = {"lsh", "exact", "brute"},
           .source = "MMDS 3.5.6"},
    Family{.kind = "bits",
           .measure = "jaccard",
           .representation = "bit strings of one length, as sets",
           .sketch = {},
           .methods = {"exact", "brute"},
           .source = "MMDS 3.1.1"},
};

}  // namespace

std::span<const Family> families() noexcept { return kFamilies; }

const Family* find_family(std::string_view kind, std::string_view measure) noexcept {
  const auto* found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& family) {
    return family.kind == kind && family.measure == measure;
  });
  return found == kFamilies.end() ? nullptr : found;
}

std::string_view default_measure(std::string_view kind) noexcept {
  const auto* found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                   [&](const Family& family) { return family.kind == kind; });
  return found == kFamilies.end() ? std::string_view{} : found->measure;
}

}  // namespace sosie

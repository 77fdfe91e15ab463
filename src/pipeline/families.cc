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
           .methods = {"lsh", "brute"},
           .source = "MMDS 3.2 to 3.4"},
    Family{.kind = "text",
           .measure = "bag-jaccard",
           .representation = "bags of shingles",
           .sketch = "minhash",
           .methods = {"lsh", "brute"},
           .source = "MMDS 3.1.3"},
};

}  // namespace

std::span<const Family> families() noexcept { return kFamilies; }

const Family* find_family(std::string_view kind, std::string_view measure) noexcept {
  const auto* found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& family) {
    return family.kind == kind && family.measure == measure;
  });
  return found == kFamilies.end() ? nullptr : found;
}

}  // namespace sosie

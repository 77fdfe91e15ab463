#pragma once

#include <list>
#include <memory>
#include <unordered_map>
#include <vector>

#include "corpus/identical.h"
#include "corpus/row_reader.h"
#include "data/measure.h"
#include "represent/text_shingles.h"

namespace sosie {

// Ascending 64-bit shingle hashes without repetitions.
using ShingleSet = std::shared_ptr<const std::vector<std::uint64_t>>;

// The shingle sets of items, made again from the text when they are needed; the latest stay in
// memory up to a budget. Belongs to one thread.
class ShingleSets {
 public:
  ShingleSets(const Inputs& inputs, const Corpus& corpus, const Items& items,
              const ShingleRecipe& recipe, std::size_t budget_bytes);

  [[nodiscard]] ShingleSet get(Place item);

 private:
  struct Cached {
    ShingleSet set;
    std::list<Place>::iterator use;
  };

  ShingleSet make(Place item);
  void forget_oldest();

  const Items& items_;
  RowReader reader_;
  TextShingler shingler_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> scratch_;
  std::size_t budget_bytes_;
  std::size_t used_bytes_ = 0;
  std::list<Place> uses_;  // latest first
  std::unordered_map<Place, Cached> cache_;
};

}  // namespace sosie

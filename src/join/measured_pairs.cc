// Writes the wanted pairs of vectors and bits.
#include "join/measured_pairs.h"

#include <utility>

namespace sosie {

EachPairs counted_from_lefts(std::size_t lefts, const EachPairs& each) {
  return [&each, lefts](std::span<const MeasuredPair> pairs) {
    std::vector<MeasuredPair> block(pairs.begin(), pairs.end());
    for (MeasuredPair& pair : block) pair.right += static_cast<std::uint32_t>(lefts);
    each(block);
  };
}

PairSink::PairSink(const Options& options, BoundFacts facts, PairSides sides, TableWriter* out,
                   const PairMemory& memory)
    : facts_(std::move(facts)),
      sides_(std::move(sides)),
      out_(out),
      chooser_(
          wanted_pairs(options), sides_.order, IsNearer{facts_.is_similarity}, memory,
          [this, wanted = wanted_pairs(options)](std::uint64_t pairs) {
            check_pair_limit(wanted, facts_, pairs);
          },
          [this](std::span<const MeasuredPair> pairs) {
            for (const MeasuredPair& pair : pairs) write(pair);
          }) {}

PairCounts PairSink::finish() {
  chooser_.finish();
  return written_;
}

void PairSink::write(const MeasuredPair& pair) {
  if (sides_.found != nullptr) {
    sides_.found->left.push_back(pair.left);
    sides_.found->right.push_back(pair.right);
    sides_.found->similarity.push_back(pair.value);
  }
  if (sides_.written) sides_.written(pair);
  if (out_ != nullptr) {
    const std::string left = sides_.left.name_of(pair.left);
    const std::string right = sides_.right.name_of(pair.right);
    out_->row({IdText{left, sides_.left.is_integer(pair.left)},
               IdText{right, sides_.right.is_integer(pair.right)}, Decimal{pair.value}});
  }
  ++written_.pairs;
  if (last_left_ != pair.left) ++written_.lefts;
  last_left_ = pair.left;
}

}  // namespace sosie

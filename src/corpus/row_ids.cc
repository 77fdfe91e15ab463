#include "corpus/row_ids.h"

#include <xxhash.h>

#include <algorithm>
#include <charconv>

namespace sosie {
namespace {

bool was_read(RowState state) noexcept {
  return state == RowState::normal || state == RowState::empty;
}

std::uint64_t hash_of(std::string_view id) { return XXH3_64bits(id.data(), id.size()); }

}  // namespace

RowIds::RowIds(const Inputs& inputs, const Corpus& corpus)
    : inputs_(inputs), corpus_(corpus), reader_(inputs, corpus, inputs.fields) {
  if (const std::vector<std::string>* names = given_names()) {
    for (RowId i = 0; i < names->size(); ++i) {
      const RowId row = corpus.first_own_row + i;
      if (was_read(corpus.state(row))) rows_.emplace_back(hash_of((*names)[i]), row);
    }
  }
  if (inputs.ids_are_rows) {
    std::sort(rows_.begin(), rows_.end());
    return;
  }
  for (const ScannedBlock& block : corpus.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) {
      const RowId row = block.first_row + static_cast<RowId>(i);
      if (row < corpus.first_own_row || !was_read(block.state(i))) continue;
      rows_.emplace_back(block.id_hashes[i], row);
    }
  }
  std::sort(rows_.begin(), rows_.end());
}

const std::vector<std::string>* RowIds::given_names() const {
  const bool given = inputs_.ids_are_rows && inputs_.own_names != nullptr;
  return given && !inputs_.own_names->names.empty() ? &inputs_.own_names->names : nullptr;
}

std::optional<RowId> RowIds::find(std::string_view id) {
  const std::vector<std::string>* names = given_names();
  if (inputs_.ids_are_rows && names == nullptr) return find_number(id);
  const std::pair<std::uint64_t, RowId> least{hash_of(id), 0};
  auto at = std::lower_bound(rows_.begin(), rows_.end(), least);
  for (; at != rows_.end() && at->first == least.first; ++at) {
    const RowId row = at->second;
    if (names != nullptr ? (*names)[corpus_.number_of(row)] == id : reader_.id_of(row) == id) {
      return row;
    }
  }
  return std::nullopt;
}

std::optional<RowId> RowIds::find_number(std::string_view id) const {
  RowId number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  const bool padded = id.size() > 1 && id.front() == '0';
  if (error != std::errc{} || end != id.data() + id.size() || padded) return std::nullopt;
  if (number >= corpus_.rows - corpus_.first_own_row) return std::nullopt;
  const RowId row = corpus_.first_own_row + number;
  return was_read(corpus_.state(row)) ? std::optional(row) : std::nullopt;
}

}  // namespace sosie

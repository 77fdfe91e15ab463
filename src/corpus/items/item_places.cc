// Keeps the places of items in their files, and the rows to leave out.
#include "corpus/items/item_places.h"

#include "core/most_rows.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kManyEven = 4096;        // rows that are worth a block of their own
constexpr std::size_t kRowsAsListed = 1U << 16;  // before it is tried again whether rows are even

bool follows(const EvenRows& even, const RowLocator& place) noexcept {
  return even.rows == 0 || (place.length == even.first.length && place.file == even.first.file &&
                            place.offset == even.at(even.rows).offset);
}

// Gives each row its own locator.
void list_rows(ScannedBlock& block) {
  for (std::uint32_t i = 0; i < block.even.rows; ++i) block.locators.push_back(block.even.at(i));
  block.even = {};
}

}  // namespace

ItemNumbers::ItemNumbers(RowId rows, std::span<const RowId> left_out) {
  if (left_out.empty()) return;
  rows_.reserve(rows - left_out.size());
  auto out = left_out.begin();
  for (RowId row = 0; row < rows; ++row) {
    if (out != left_out.end() && *out == row) {
      ++out;
    } else {
      rows_.push_back(row);
    }
  }
}

RowId ItemNumbers::item_of(RowId row) const noexcept {
  if (are_rows()) return row;
  return static_cast<RowId>(std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin());
}

void PlaceWriter::begin_file(std::uint32_t file) {
  if (file == inputs_.first_own_file) corpus_.first_own_row = corpus_.rows;
  begin_block(file);
}

void PlaceWriter::begin_block(std::uint32_t file) {
  const Format& format = *inputs_.list[file].format;
  const std::uint64_t size = inputs_.files[file].likely_size();
  corpus_.ranges.push_back({file, 0, size, format.row_ends, format.dialect});
  corpus_.facts.emplace_back().first_row = corpus_.rows;
  corpus_.blocks.emplace_back();
  corpus_.blocks.back().first_row = corpus_.rows;
}

void PlaceWriter::append_locator(const RowLocator& place) {
  if (block().locators.size() >= kRowsAsListed ||
      (block().even.rows >= kManyEven && !follows(block().even, place))) {
    begin_block(place.file);
  }
  EvenRows& even = block().even;
  if (block().locators.empty() && follows(even, place)) {
    if (even.rows == 0) even.first = place;
    ++even.rows;
    return;
  }
  list_rows(block());
  block().locators.push_back(place);
}

void PlaceWriter::add(const RowLocator& place, RowState state) {
  check_rows_of_run(std::uint64_t{corpus_.rows} + 1);
  append_locator(place);
  if (state != RowState::normal || !block().states.empty()) {
    block().states.resize(block().rows(), RowState::normal);
    block().states.back() = state;
  }
  BlockFacts& facts = corpus_.facts.back();
  ++facts.rows;
  facts.empty += state == RowState::empty ? 1U : 0U;
  facts.skipped += state == RowState::skipped ? 1U : 0U;
  facts.unmatched += state == RowState::unmatched ? 1U : 0U;
  facts.row_bytes += place.length;
  ++corpus_.rows;
}

void PlaceWriter::add_bad(BadRow bad, bool skips) {
  add(bad.row, skips ? RowState::skipped : RowState::unmatched);
  block().bad_rows.push_back(std::move(bad));
}

void PlaceWriter::note_ill_formed(BadRow bad) {
  ++corpus_.facts.back().ill_formed;
  block().bad_rows.push_back(std::move(bad));
}

}  // namespace sosie

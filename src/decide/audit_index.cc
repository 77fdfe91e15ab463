// Draws the audit's sample and indexes its shingles.
#include "decide/audit_index.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "corpus/rows/row_reader.h"
#include "decide/estimate_recall.h"
#include "kernels/intersection_size.h"
#include "represent/text_shingler.h"

namespace sosie {
namespace {

// One worker's tools.
struct SetMaker {
  explicit SetMaker(const SetRun& run)
      : reader(run.inputs, run.corpus, {run.inputs.fields.column, {}, {}}),
        shingler(run.settings.shingle) {}

  RowReader reader;
  TextShingler shingler;
  std::vector<std::uint64_t> scratch;
};

}  // namespace

std::vector<RowId> draw_rows(const Corpus& corpus, const Items& items, std::uint64_t count,
                             std::uint64_t seed) {
  return draw_numbers(
      corpus.first_own_row, corpus.rows, [&](RowId row) { return items.place_of[row] != kNoPlace; },
      count, seed);
}

AuditIndex::AuditIndex(SetRun& run, std::vector<Place> places)
    : places_(std::move(places)), sizes_(places_.size()), sketches_(places_.size()) {
  std::vector<std::unique_ptr<SetMaker>> workers(run.pool.size());
  std::vector<std::vector<std::uint64_t>> sets(places_.size());
  run.pool.for_each(places_.size(), [&](unsigned worker, std::size_t i) {
    auto& tools = workers[worker];
    if (!tools) tools = std::make_unique<SetMaker>(run);
    tools->shingler.read_set(tools->reader.read(run.items.rows[places_[i]]).text);
    const auto shingles = tools->shingler.shingles();
    if (!run.choice.finds_every_pair() && !shingles.empty()) {
      CandidateSketcher(run.choice.banding, run.settings.seed, run.settings.sketch)
          .sketch(shingles, sketches_[i]);
    }
    sets[i].assign(shingles.begin(), shingles.end());
    tools->scratch.resize(std::max(tools->scratch.size(), sets[i].size()));
    sets[i].resize(
        kernels::sort_unique_hashes(sets[i].data(), sets[i].size(), tools->scratch.data()));
    sizes_[i] = static_cast<std::uint32_t>(sets[i].size());
  });
  invert(sets);
}

void AuditIndex::invert(const std::vector<std::vector<std::uint64_t>>& sets) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries;
  for (std::uint32_t item = 0; item < sets.size(); ++item) {
    for (const std::uint64_t shingle : sets[item]) entries.emplace_back(shingle, item);
  }
  std::sort(entries.begin(), entries.end());
  std::size_t shingles = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    shingles += i == 0 || entries[i].first != entries[i - 1].first ? 1U : 0U;
  }
  slots_.resize(std::bit_ceil(2 * shingles + 2));
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i].first != entries[i - 1].first) {
      add_slot(entries[i].first, static_cast<std::uint32_t>(starts_.size()));
      starts_.push_back(i);
    }
    members_.push_back(entries[i].second);
  }
  starts_.push_back(entries.size());
}

void AuditIndex::add_slot(std::uint64_t shingle, std::uint32_t number) {
  std::size_t at = shingle & (slots_.size() - 1);
  while (slots_[at].number != kNoShingle) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = {shingle, number};
}

std::uint32_t AuditIndex::find(std::uint64_t shingle) const noexcept {
  std::size_t at = shingle & (slots_.size() - 1);
  while (slots_[at].number != kNoShingle && slots_[at].shingle != shingle) {
    at = (at + 1) & (slots_.size() - 1);
  }
  return slots_[at].number;
}

}  // namespace sosie

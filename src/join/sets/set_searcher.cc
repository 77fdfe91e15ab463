// Reads and indexes DATA for queries of sets, by prefixes or by bands.
#include "join/sets/set_searcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/keep_best.h"
#include "core/size_text.h"
#include "corpus/asked_fields.h"
#include "corpus/first_ids.h"
#include "corpus/identical.h"
#include "corpus/scan.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Bytes per element in a banding index: its hash, briefly stored twice, in growing columns.
constexpr std::uint64_t kBytesOfBandedElement = 24;
constexpr std::uint64_t kBytesOfRow = 100;  // regardless of the method
constexpr std::uint64_t kBytesOfBand = 32;  // bytes of a row in a band: its key, as it came and in
                                            // the index

[[noreturn]] void refuse(const Inputs& inputs, const Settings& settings) {
  throw Error(
      ErrorKind::limit_exceeded,
      fmt::format("{}: does not fit in --memory {}, but rows from a pipe are looked up in memory",
                  inputs.list.front().name, limit_text(settings.memory_bytes)),
      "raise --memory, or name a file as INPUT, so that both are joined in parts");
}

}  // namespace

SetSearcher::SetSearcher(const Options& options, const Settings& settings, Scratch& scratch,
                         ThreadPool& pool, const RunHooks& hooks)
    : settings_(settings), inputs_(open_inputs(options, settings, scratch, pool, hooks)) {
  require_asked_fields(inputs_, settings, pool);
  if (settings.bad_rows == BadRows::stop) check_first_ids(inputs_, pool);
  choice_ = scan_and_choose_method({kQuery, options, settings, inputs_}, pool, hooks.cancel);
  if (choice_.brute) {  // an index finds the same, and looks at less
    choice_.brute = false;
    choice_.exact = true;
  }
  read(options, scratch, pool, hooks);
  check_unique_ids(inputs_, corpus_, pool);
  if (choice_.exact) {
    index_prefixes();
  } else {
    index_bands();
  }
}

void SetSearcher::read(const Options& options, Scratch& scratch, ThreadPool& pool,
                       const RunHooks& hooks) {
  constexpr std::uint64_t kMostOfAuto = kMemoryOfAuto / SetLookup::kBytesPerElement;
  if (choice_.exact) {
    const bool open = is_method_open(options, settings_) &&
                      choice_.most_elements < std::numeric_limits<std::uint64_t>::max();
    scan_rows(open ? kMostOfAuto : settings_.memory_bytes / SetLookup::kBytesPerElement, scratch,
              pool, hooks);
    if (open && corpus_.has_too_many_elements) {
      choice_.exact = false;
      choice_.banding = banding_for(options, settings_, inputs_, hooks.cancel);
    }
  }
  if (!choice_.exact) {
    scan_rows(settings_.memory_bytes / kBytesOfBandedElement, scratch, pool, hooks);
  }
  check_memory();
}

void SetSearcher::scan_rows(std::uint64_t most_elements, Scratch& scratch, ThreadPool& pool,
                            const RunHooks& hooks) {
  ScanRequest request;
  request.keep_sets = true;
  request.most_elements = most_elements;
  if (!choice_.exact) request.banding = choice_.banding;
  corpus_ = scan(inputs_, settings_, request, scratch, pool, hooks);
}

void SetSearcher::check_memory() const {
  const BandingPlan& plan = choice_.banding;
  const std::uint64_t of_row =
      choice_.exact ? kBytesOfRow
                    : kBytesOfRow + kBytesOfBand * static_cast<std::uint64_t>(plan.bands) +
                          2 * static_cast<std::uint64_t>(plan.components);
  const bool fits = corpus_.rows <= settings_.memory_bytes / of_row;
  if (corpus_.has_too_many_elements || !fits) refuse(inputs_, settings_);
}

void SetSearcher::index_prefixes() {
  HashedSets sets;
  sets.starts.reserve(std::size_t{corpus_.rows} + 1);
  for (ScannedBlock& block : corpus_.blocks) {
    const std::uint64_t before = sets.hashes.size();
    sets.hashes.insert(sets.hashes.end(), block.sets.hashes.begin(), block.sets.hashes.end());
    for (std::size_t i = 0; i < block.rows(); ++i) {
      sets.starts.push_back(before + block.sets.starts[i + 1]);
    }
    block.sets = {};
  }
  by_prefixes_.emplace(std::move(sets), *settings_.measure, settings_.threshold);
}

void SetSearcher::index_bands() {
  by_bands_.emplace(choice_.banding, *settings_.measure, settings_.threshold);
  std::vector<std::uint64_t> keys;
  for (ScannedBlock& block : corpus_.blocks) {
    for (std::size_t i = 0; i < block.rows(); ++i) by_bands_->add(sketched_set(block, i, keys));
    block.sets = {};
    std::vector<std::uint64_t>().swap(block.band_keys);
    std::vector<std::uint8_t>().swap(block.filters);
  }
}

void SetSearcher::find(const SketchedSet& set, std::uint64_t most, Finder& finder,
                       std::vector<SimilarSet>& out) const {
  out.clear();
  if (by_prefixes_) {
    by_prefixes_->find(set.set, finder.by_prefixes, out);
  } else {
    by_bands_->find(set, 0, /*one=*/false, finder.by_bands, out);
  }
  const Measure& measure = *settings_.measure;
  const auto is_better = [&](const SimilarSet& a, const SimilarSet& b) {
    if (measure.is_above(a.overlap, b.overlap)) return true;
    if (measure.is_above(b.overlap, a.overlap)) return false;
    return a.position < b.position;
  };
  if (most > 0) keep_best(out, most, is_better);
  std::sort(out.begin(), out.end(), is_better);
}

}  // namespace sosie

#include "pipeline/sampling.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/hash64.h"
#include "kernels/agreement.h"
#include "pipeline/row_parsers.h"
#include "pipeline/sketches.h"
#include "sketch/band_keys.h"
#include "sketch/minhash.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kSampleBytes = std::uint64_t{32} << 20;
constexpr std::size_t kMostRows = 1024;
constexpr std::uint64_t kDrawnBytes = std::uint64_t{4} << 20;  // no more is drawn beyond them
constexpr std::size_t kLeastRows = 128;
constexpr int kComponents = 128;
constexpr std::uint64_t kSampleSalt =
    0x5A3D1E5A3D1E5A3DULL;  // apart from the signatures' random numbers

struct Drawn {
  std::uint64_t order;  // hash(seed, row): the least are taken
  std::uint32_t file;
  RowView row;
  bool operator<(const Drawn& other) const noexcept { return order < other.order; }
};

// 4 sqrt(n) of n rows make 8 n pairs: were each row similar to one other, eight of them would show
// it. Fewer partners than that cost little under any plan.
std::size_t rows_to_draw(std::uint64_t rows) noexcept {
  std::size_t root = 0;
  while (root < kMostRows / 4 && root * root < rows) ++root;
  return std::max(kLeastRows, 4 * root);
}

// The rows with the least hashes among those in the first 32 MiB, no more of them than the plan is
// worth, in input order; and how many rows there are in these.
std::vector<Drawn> draw_rows(const Inputs& inputs, std::uint64_t seed, std::uint64_t& rows) {
  std::vector<Drawn> heap;
  std::uint64_t bytes = 0;
  rows = 0;
  for (std::uint32_t i = 0; i < inputs.files.size() && bytes < kSampleBytes; ++i) {
    const auto is_blank = inputs.list[i].format->is_blank;
    RowStream stream(inputs.source(i));
    for (RowView row; bytes < kSampleBytes && stream.next(row);) {
      if (is_blank != nullptr && is_blank(row.bytes)) continue;
      bytes += row.bytes.size();
      heap.push_back({random64(seed ^ kSampleSalt, rows++), i, row});
      std::push_heap(heap.begin(), heap.end());
      if (heap.size() <= kMostRows) continue;
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
  }
  std::sort_heap(heap.begin(), heap.end());
  bytes = 0;
  std::size_t taken = 0;
  const std::size_t most = std::min(heap.size(), rows_to_draw(rows));
  while (taken < most && (taken < kLeastRows || bytes < kDrawnBytes)) {
    bytes += heap[taken++].row.bytes.size();
  }
  heap.resize(taken);
  std::sort(heap.begin(), heap.end(), [](const Drawn& a, const Drawn& b) {
    return a.file != b.file ? a.file < b.file : a.row.offset < b.row.offset;
  });
  return heap;
}

// Sketches of the drawn rows.
class SampleSketcher {
 public:
  SampleSketcher(const Inputs& inputs, const Settings& settings)
      : inputs_(inputs),
        parsers_(inputs, fields_of_scan(inputs, settings)),
        shingler_(settings.shingle),
        hasher_(kComponents, settings.seed, settings.sketch) {}

  void add(const Drawn& drawn) {
    bytes_.reserve(drawn.row.length);
    bytes_.set_size(drawn.row.bytes.size());
    inputs_.files[drawn.file].read_at(drawn.row.offset, bytes_.data(), drawn.row.bytes.size());
    try {
      parsers_.parse(drawn.file, bytes_.view(), record_);
    } catch (const RowError&) {
      return;  // the scan will say so, with its place
    }
    shingler_.read(record_.text);
    if (shingler_.shingles().empty()) return;
    std::vector<std::uint32_t> signature(kComponents);
    hasher_.sketch(shingler_.shingles(), signature);
    filters_.resize(filters_.size() + kComponents);
    filter_signature(signature, std::span(filters_).last(kComponents));
    sizes_.push_back(shingler_.shingles().size());
  }

  [[nodiscard]] SampleFacts facts(std::uint64_t rows_in_sample, std::uint64_t drawn) {
    SampleFacts facts;
    const std::size_t n = sizes_.size();
    if (n == 0) return facts;
    facts.documents = rows_in_sample * n / drawn;
    std::sort(sizes_.begin(), sizes_.end());
    facts.median_shingles = sizes_[n / 2];
    std::vector<std::uint32_t> others(n);
    std::iota(others.begin(), others.end(), 0U);
    std::vector<std::uint32_t> agree(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const std::size_t rest = n - i - 1;
      kernels::agreements(&filters_[i * kComponents], filters_.data(), kComponents,
                          others.data() + i + 1, rest, agree.data());
      for (std::size_t j = 0; j < rest; ++j) {
        ++facts.pairs_by_similarity[agree[j] * 64 / kComponents];
      }
    }
    return facts;
  }

 private:
  const Inputs& inputs_;
  RowParsers parsers_;
  TextShingler shingler_;
  MinHasher hasher_;
  PaddedBytes bytes_;
  Record record_;
  std::vector<std::uint8_t> filters_;
  std::vector<std::uint64_t> sizes_;
};

}  // namespace

void check_plan(const SavedPlan& saved, const std::string& name, const Options& options,
                const Settings& settings) {
  const auto expect = [&](const char* what, const std::string& in_plan, const std::string& asked) {
    if (in_plan == asked) return;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: was made for {} {}, this run has {}", name, what, in_plan, asked));
  };
  expect("measure", saved.measure, options.measure);
  expect("shingle", saved.shingle, shingle_name(settings.shingle));
  expect("tokens", saved.tokens, options.tokens);
  expect("sketch", saved.sketch, options.sketch);
  expect("threshold", fmt::format("{}/{}", saved.threshold.num, saved.threshold.den),
         fmt::format("{}/{}", settings.threshold.num, settings.threshold.den));
  expect("seed", std::to_string(saved.seed), std::to_string(settings.seed));
}

SampleFacts draw_sample(const Inputs& inputs, const Settings& settings) {
  std::uint64_t rows = 0;
  const std::vector<Drawn> drawn = draw_rows(inputs, settings.seed, rows);
  SampleSketcher sketcher(inputs, settings);
  for (const Drawn& row : drawn) sketcher.add(row);
  return sketcher.facts(rows, std::max<std::size_t>(1, drawn.size()));
}

BandingPlan banding_for(const Options& options, const Settings& settings, const Inputs& inputs,
                        const std::atomic<bool>* cancel) {
  if (options.sketches) {
    const SavedPlan& saved = options.sketches->plan();
    check_plan(saved, options.sketches->paths().front(), options, settings);
    return saved.banding;
  }
  if (!options.plan.empty()) {
    const SavedPlan saved = load_plan(options.plan, cancel);
    check_plan(saved, options.plan, options, settings);
    return saved.banding;
  }
  if (settings.fixed_bands > 0) {
    return fixed_banding(settings.fixed_bands, settings.fixed_rows, settings.threshold,
                         settings.recall);
  }
  return choose_banding(settings.threshold, settings.recall, draw_sample(inputs, settings));
}

}  // namespace sosie

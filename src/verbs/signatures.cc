// Minhash signatures of rows, for callers that compare rows themselves.
#include "sosie/signatures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>

#include "core/thread_pool.h"
#include "corpus/asked_fields.h"
#include "corpus/bad_row.h"
#include "corpus/row_parsers.h"
#include "corpus/scan.h"
#include "read/block_reader.h"
#include "represent/text_shingler.h"
#include "sketch/minhash.h"
#include "sosie/error.h"
#include "verbs/verbs.h"

namespace sosie {
namespace {

constexpr std::uint32_t kNoShingle = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 20;
constexpr int kLeastComponents = 16;  // minimum components of a MinHasher
constexpr int kMostComponents = 4096;

// One worker's tools for turning rows into signatures.
class RowSketcher {
 public:
  RowSketcher(const Inputs& inputs, const Settings& settings, int components)
      : inputs_(inputs),
        parsers_(inputs, fields_of_scan(inputs, settings)),
        shingler_(settings.shingle),
        components_(static_cast<std::size_t>(components)),
        hasher_(std::max(kLeastComponents, static_cast<int>(std::bit_ceil(components_))),
                settings.seed, settings.sketch),
        signature_(static_cast<std::size_t>(hasher_.components())) {}

  void sketch(const BlockRange& range, std::vector<std::uint32_t>& out) {
    reader_.open(inputs_.source(range.file), range);
    const auto is_blank = inputs_.list[range.file].format->is_blank;
    for (RowView row; reader_.next(row);) {
      if (is_blank != nullptr && is_blank(row.bytes)) continue;
      parse(range.file, row);
      shingler_.read_set(record_.text);
      if (shingler_.shingles().empty()) {
        out.resize(out.size() + components_, kNoShingle);
        continue;
      }
      hasher_.sketch(shingler_.shingles(), signature_);
      out.insert(out.end(), signature_.data(), signature_.data() + components_);
    }
  }

 private:
  void parse(std::uint32_t file, const RowView& row) {
    try {
      parsers_.parse(file, row.bytes, record_);
    } catch (const RowError& error) {
      throw_bad_row(
          inputs_, {{row.offset, row.length, file}, row.offset + error.offset(), error.what()}, "");
    }
  }

  const Inputs& inputs_;
  RowParsers parsers_;
  TextShingler shingler_;
  std::size_t components_;  // number of requested components of the hasher
  MinHasher hasher_;
  std::vector<std::uint32_t> signature_;
  BlockReader reader_;
  Record record_;
};

void check_components(int components) {
  if (components >= 1 && components <= kMostComponents) return;
  throw Error(ErrorKind::invalid_option, fmt::format("a signature has 1 to {} components, not {}",
                                                     kMostComponents, components));
}

}  // namespace

std::vector<std::uint32_t> minhash_signatures(const Options& options, int components,
                                              const RunHooks& hooks) {
  check_components(components);
  const Options chosen = with_kind_of_sets(options, "signatures");
  const Settings settings = resolve(chosen);
  Scratch scratch(settings.scratch, settings.scratch_limit_bytes);
  ThreadPool pool(settings.threads, hooks.cancel);
  const Inputs inputs = open_inputs(chosen, settings, scratch, pool, hooks);
  require_asked_fields(inputs, settings, pool);
  std::vector<RowSource> sources;
  for (std::uint32_t i = 0; i < inputs.list.size(); ++i) sources.push_back(inputs.source(i));
  const std::vector<BlockRange> blocks = cut_into_blocks(sources, kBlockBytes, pool);
  std::vector<std::vector<std::uint32_t>> of_block(blocks.size());
  std::vector<std::unique_ptr<RowSketcher>> workers(pool.size());
  pool.for_each(blocks.size(), [&](unsigned worker, std::size_t i) {
    auto& sketcher = workers[worker];
    if (!sketcher) sketcher = std::make_unique<RowSketcher>(inputs, settings, components);
    sketcher->sketch(blocks[i], of_block[i]);
  });
  std::vector<std::uint32_t> signatures;
  for (std::vector<std::uint32_t>& block : of_block) {
    signatures.insert(signatures.end(), block.begin(), block.end());
    std::vector<std::uint32_t>().swap(block);
  }
  return signatures;
}

}  // namespace sosie

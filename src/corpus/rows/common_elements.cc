// Finds shingles shared by many rows, by counting in two passes.
#include "corpus/rows/common_elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "core/size_text.h"
#include "corpus/scan.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Calls each(element) for the elements of every row, once per row. Returns the number of rows.
template <typename Each>
std::uint64_t for_each_element(const Inputs& inputs, const Settings& settings, Scratch& scratch,
                               ThreadPool& pool, const RunHooks& hooks, const Each& each) {
  ScanRequest request;
  request.keep_sets = true;
  request.any_number = true;
  request.steps.end = [&](unsigned /*worker*/, std::size_t /*number*/, const BlockRange& /*range*/,
                          const ScannedBlock& block) {
    for (const std::uint64_t element : block.sets.hashes) each(element);
  };
  return scan(inputs, settings, request, scratch, pool, hooks).rows;
}

// Counters of elements, several of which may share a counter, so the counts are never too low.
class HashedCounters {
 public:
  // A small input has few elements and gets few counters.
  HashedCounters(std::uint64_t memory_bytes, std::uint64_t input_bytes) {
    constexpr std::uint64_t kMost = std::uint64_t{1} << 22;
    constexpr std::uint64_t kLeast = 1024;
    constexpr std::uint64_t kPart = 16;  // one part in so many of the memory for each of two tables
    const std::uint64_t most = memory_bytes / kPart / sizeof(std::uint32_t);
    const std::uint64_t size =
        std::bit_floor(std::clamp(std::min(most, input_bytes), kLeast, kMost));
    shift_ = 64 - std::countr_zero(size);
    for (auto& table : tables_) table.resize(size);
  }

  void add(std::uint64_t element) {
    ++tables_[0][place(element)];
    ++tables_[1][place(std::rotl(element, 32))];
  }
  [[nodiscard]] std::uint64_t most(std::uint64_t element) const {
    return std::min(tables_[0][place(element)], tables_[1][place(std::rotl(element, 32))]);
  }

 private:
  [[nodiscard]] std::size_t place(std::uint64_t element) const noexcept {
    return element >> shift_;
  }

  std::array<std::vector<std::uint32_t>, 2> tables_;
  int shift_ = 0;
};

// Size of all files; a table in memory counts as unlimited.
std::uint64_t bytes_of(const Inputs& inputs) {
  std::uint64_t bytes = 0;
  for (std::uint32_t file = 0; file < inputs.list.size(); ++file) {
    if (inputs.table_of(file) != nullptr) return ~std::uint64_t{0};
    bytes += inputs.files[file].likely_size();
  }
  return bytes;
}

}  // namespace

std::shared_ptr<const CommonShingles> find_common_elements(const Inputs& inputs,
                                                           const Settings& settings,
                                                           Scratch& scratch, ThreadPool& pool,
                                                           const RunHooks& hooks) {
  constexpr std::uint64_t kBytesOfCount = 64;
  constexpr std::uint64_t kPartForCounts = 8;
  HashedCounters counters(settings.memory_bytes, bytes_of(inputs));
  const std::uint64_t rows =
      for_each_element(inputs, settings, scratch, pool, hooks,
                       [&](std::uint64_t element) { counters.add(element); });
  const auto is_common = [&](std::uint64_t count) {
    return count > 1 && count * settings.ignore_common->den > rows * settings.ignore_common->num;
  };
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  (void)for_each_element(inputs, settings, scratch, pool, hooks, [&](std::uint64_t element) {
    if (!is_common(counters.most(element))) return;
    ++counts[element];
    if (counts.size() * kBytesOfCount <= settings.memory_bytes / kPartForCounts) return;
    throw Error(
        ErrorKind::limit_exceeded, RefusedOption{"ignore-common"},
        fmt::format(
            "there may be too many shingles or elements this common to count in --memory {}",
            limit_text(settings.memory_bytes)),
        "raise the share, or raise --memory");
  });
  std::vector<std::uint64_t> common;
  for (const auto& [element, count] : counts) {
    if (is_common(count)) common.push_back(element);
  }
  return std::make_shared<const CommonShingles>(std::move(common));
}

}  // namespace sosie

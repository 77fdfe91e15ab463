// Reads the smaller of two collections before an exact join of both.
#include <algorithm>

#include "corpus/scan.h"
#include "join/sets/set_run.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMuchLarger = 8;                           // times the smaller one
constexpr std::uint64_t kLargestSmaller = std::uint64_t{1} << 20;  // elements, whatever the memory
constexpr std::uint64_t kMemoryOfElement =
    512;  // bytes of --memory for each element of a larger one

// Bytes of some files; a table in memory counts as any number of them.
std::uint64_t bytes_of_files(const Inputs& inputs, std::uint32_t begin, std::uint32_t end) {
  constexpr std::uint64_t kAny = std::uint64_t{1} << 60;
  std::uint64_t bytes = 0;
  for (std::uint32_t file = begin; file < end; ++file) {
    if (inputs.table_of(file) != nullptr) return kAny;
    bytes += inputs.files[file].likely_size();
  }
  return bytes;
}

HashedSets sets_of(const Corpus& corpus) {
  HashedSets sets;
  for (const ScannedBlock& block : corpus.blocks) {
    const std::uint64_t before = sets.hashes.size();
    sets.hashes.insert(sets.hashes.end(), block.sets.hashes.begin(), block.sets.hashes.end());
    for (std::size_t i = 1; i < block.sets.starts.size(); ++i) {
      sets.starts.push_back(before + block.sets.starts[i]);
    }
  }
  return sets;
}

}  // namespace

std::unique_ptr<PartnerElements> SetRun::elements_of_smaller(ScannedRows& larger) {
  const bool is_across = use_of(verb) == JoinUse::every_pair || !options.contained.empty();
  if (!choice.exact || !inputs.has_against() || !is_across) return nullptr;
  if (settings.lowers_threshold || options.audit > 0) return nullptr;
  const std::uint32_t own = inputs.first_own_file;
  const std::uint64_t of_others = bytes_of_files(inputs, 0, own);
  const std::uint64_t of_own =
      bytes_of_files(inputs, own, static_cast<std::uint32_t>(inputs.list.size()));
  if (std::max(of_others, of_own) / kMuchLarger < std::min(of_others, of_own)) return nullptr;
  larger = of_own > of_others ? ScannedRows::own : ScannedRows::of_against;
  ScanRequest request;
  request.rows = of_own > of_others ? ScannedRows::of_against : ScannedRows::own;
  request.keep_sets = true;
  request.most_elements = kLargestSmaller;
  if (!is_method_open(options, settings)) {
    request.most_elements = std::max(kLargestSmaller, settings.memory_bytes / kMemoryOfElement);
  }
  Settings reading = settings;  // faults are told by the scan of all rows, in their order
  if (reading.bad_rows == BadRows::stop) reading.bad_rows = BadRows::keep;
  reading.stops_for_encoding = false;
  const Corpus smaller = scan(inputs, reading, request, *scratch, pool, hooks);
  if (smaller.has_too_many_elements) return nullptr;
  const bool is_left = (request.rows == ScannedRows::own) == options.contained.empty();
  return std::make_unique<PartnerElements>(
      sets_of(smaller), PartnerTask{settings.measure, settings.threshold, is_left});
}

}  // namespace sosie

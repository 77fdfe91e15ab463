// Reads the smaller of two collections before an exact join of both.
#include <algorithm>
#include <optional>

#include "corpus/scan.h"
#include "join/sets/set_run.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMuchLarger = 8;  // times the smaller one
// Maximum number of elements of the smaller collection. If --method is open, it does not depend on
// memory, because the elements kept of the larger collection affect the choice; otherwise, it is
// one per this many bytes of --memory.
constexpr std::uint64_t kMostWhereOpen = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostAtLeast = std::uint64_t{1} << 17;
constexpr std::uint64_t kMemoryOfElement = 512;

// Size of some files; empty if one is a table in memory, whose size is unknown.
std::optional<std::uint64_t> bytes_of_files(const Inputs& inputs, std::uint32_t begin,
                                            std::uint32_t end) {
  std::uint64_t bytes = 0;
  for (std::uint32_t file = begin; file < end; ++file) {
    if (inputs.table_of(file) != nullptr) return std::nullopt;
    bytes += inputs.files[file].likely_size();
  }
  return bytes;
}

void append_sets(const ScannedBlock& block, HashedSets& sets) {
  const std::uint64_t before = sets.hashes.size();
  sets.hashes.insert(sets.hashes.end(), block.sets.hashes.begin(), block.sets.hashes.end());
  for (std::size_t i = 1; i < block.sets.starts.size(); ++i) {
    const std::uint64_t end = before + block.sets.starts[i];
    if (end > sets.starts.back()) sets.starts.push_back(end);
  }
}

}  // namespace

std::unique_ptr<PartnerElements> SetRun::elements_of_smaller(ScannedRows& larger) {
  const bool is_across = use_of(verb) == JoinUse::every_pair || !options.contained.empty();
  if (!choice.exact || !inputs.has_against() || !is_across || verb == "explain") return nullptr;
  if (settings.lowers_threshold || options.audit > 0) return nullptr;
  const std::uint32_t own = inputs.first_own_file;
  const auto of_others = bytes_of_files(inputs, 0, own);
  const auto of_own = bytes_of_files(inputs, own, static_cast<std::uint32_t>(inputs.list.size()));
  if (!of_others || !of_own) return nullptr;
  if (std::max(*of_others, *of_own) / kMuchLarger < std::min(*of_others, *of_own)) return nullptr;
  const bool is_own_larger = *of_own > *of_others;
  larger = is_own_larger ? ScannedRows::own : ScannedRows::of_against;
  HashedSets sets;
  ScanRequest request;
  request.rows = is_own_larger ? ScannedRows::of_against : ScannedRows::own;
  request.keep_sets = true;
  request.most_elements = is_method_open(options, settings)
                              ? kMostWhereOpen
                              : std::max(kMostAtLeast, settings.memory_bytes / kMemoryOfElement);
  request.take_block = [&](const ScannedBlock& block) { append_sets(block, sets); };
  try {
    if (scan(inputs, settings, request, *scratch, pool, hooks).has_too_many_elements) {
      return nullptr;
    }
  } catch (const Error& error) {  // the scan of all rows tells of it, or of what comes before it
    if (error.kind() != ErrorKind::malformed_input && error.kind() != ErrorKind::limit_exceeded) {
      throw;
    }
    return nullptr;
  }
  const bool is_left = (request.rows == ScannedRows::own) == options.contained.empty();
  return std::make_unique<PartnerElements>(
      sets, PartnerTask{settings.measure, settings.threshold, is_left});
}

}  // namespace sosie

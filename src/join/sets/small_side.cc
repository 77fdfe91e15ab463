// Reads the smaller of two collections before an exact join of both.
#include "join/sets/small_side.h"

#include <algorithm>

#include "join/sets/method_choice.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kMuchLarger = 8;  // times the size of the smaller one
// Maximum number of elements in the smaller collection. If --method is open, the limit does not
// depend on the memory, because the rows kept of the larger collection determine the method;
// otherwise, it is one element per this many bytes of --memory.
constexpr std::uint64_t kMostWhereOpen = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostAtLeast = std::uint64_t{1} << 17;
constexpr std::uint64_t kMemoryOfElement = 512;

std::uint64_t bytes_of_files(const Inputs& inputs, std::uint32_t begin, std::uint32_t end) {
  std::uint64_t bytes = 0;
  for (std::uint32_t file = begin; file < end; ++file) bytes += inputs.files[file].likely_size();
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

// True if these two collections may be joined exactly, and no pairs within either are needed.
bool may_be_across(VerbBit verb, const Options& options, const Settings& settings,
                   const Inputs& inputs) {
  const bool may_be_exact = (settings.method == Method::exact && options.reuse.empty()) ||
                            is_method_open(options, settings);
  if (!may_be_exact || settings.cascade || !inputs.has_against() || verb == kExplain) return false;
  if (settings.lowers_threshold || options.audit > 0) return false;
  return use_of(verb) == JoinUse::every_pair || !options.contained.empty();
}

}  // namespace

std::unique_ptr<SmallSide> read_small_side(VerbBit verb, const Options& options,
                                           const Settings& settings, const Inputs& inputs,
                                           const RunTools& tools) {
  if (!may_be_across(verb, options, settings, inputs)) return nullptr;
  const std::uint32_t own = inputs.first_own_file;
  const std::uint64_t of_others = bytes_of_files(inputs, 0, own);
  const std::uint64_t of_own =
      bytes_of_files(inputs, own, static_cast<std::uint32_t>(inputs.list.size()));
  if (std::max(of_others, of_own) / kMuchLarger < std::min(of_others, of_own)) return nullptr;
  auto side = std::make_unique<SmallSide>();
  side->larger = of_own > of_others ? ScannedRows::own : ScannedRows::of_against;
  HashedSets sets;
  ScanRequest request;
  request.rows = of_own > of_others ? ScannedRows::of_against : ScannedRows::own;
  request.keep_sets = true;
  request.most_elements = is_method_open(options, settings)
                              ? kMostWhereOpen
                              : std::max(kMostAtLeast, settings.memory_bytes / kMemoryOfElement);
  request.take_block = [&](const ScannedBlock& block) { append_sets(block, sets); };
  try {
    const Corpus read = scan(inputs, settings, request, tools.scratch, tools.pool, tools.hooks);
    if (read.has_too_many_elements) return nullptr;
    side->of_smaller.rows = read.rows;
  } catch (const Error& error) {  // the scan of all rows reports this error, or an earlier one
    if (error.kind() != ErrorKind::malformed_input && error.kind() != ErrorKind::limit_exceeded) {
      throw;
    }
    return nullptr;
  }
  const bool is_left = (request.rows == ScannedRows::own) == options.contained.empty();
  side->elements = std::make_unique<PartnerElements>(
      sets, PartnerTask{settings.measure, settings.threshold, is_left});
  side->of_smaller.elements = side->of_smaller.small_elements = sets.hashes.size();
  return side;
}

}  // namespace sosie

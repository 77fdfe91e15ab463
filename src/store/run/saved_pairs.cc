// Pairs of finished joins kept beyond their run, checked on reading.
#include "store/run/saved_pairs.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "store/packed_writer.h"

namespace sosie {
namespace {

constexpr std::uint64_t kPairFlushBytes = std::uint64_t{4} << 20;
constexpr std::size_t kPairsOfRecord = std::size_t{1} << 16;
static_assert(sizeof(SavedPair) == 16 && std::is_trivially_copyable_v<SavedPair>);

// Header of a record of pairs.
struct PartHead {
  static constexpr std::size_t kBytes = 21;
  std::uint64_t key = 0;
  std::uint64_t measured = 0;  // pairs measured by the join; in its last part
  std::uint32_t part = 0;
  std::uint8_t is_last = 0;
};

std::string packed(const PartHead& head) {
  PackedWriter out;
  out.value(head.key);
  out.value(head.measured);
  out.value(head.part);
  out.value(head.is_last);
  return out.bytes();
}

PartHead unpacked(const std::string& bytes, const std::string& path) {
  PackedReader in(bytes, path);
  PartHead head;
  head.key = in.value<std::uint64_t>();
  head.measured = in.value<std::uint64_t>();
  head.part = in.value<std::uint32_t>();
  head.is_last = in.value<std::uint8_t>();
  return head;
}

std::string first_pair_record(std::uint64_t about) {
  std::string record(SavedPairs::kMark);
  record.append(reinterpret_cast<const char*>(&about), sizeof about);
  return record;
}

std::pair<std::uint32_t, std::uint32_t> key_of(const SavedPair& pair) noexcept {
  return {pair.left, pair.right};
}

// True if each pair follows the previous one; `last`: the pair before the first.
bool are_sorted(std::span<const SavedPair> pairs, std::optional<SavedPair>& last) {
  for (const SavedPair& pair : pairs) {
    if (last && !(key_of(*last) < key_of(pair))) return false;
    last = pair;
  }
  return true;
}

}  // namespace

SavedPairs::SavedPairs(std::string path, std::uint64_t about)
    : journal_(std::move(path), kMark, kPairFlushBytes) {
  const std::string record = first_pair_record(about);
  if (journal_.size() == 0 || journal_.read(0) != record) journal_.start(record);
  find_joins();
}

void SavedPairs::find_joins() {
  for (std::size_t record = 1; record < journal_.size(); ++record) {
    const std::string bytes = journal_.head(record, PartHead::kBytes);
    if (bytes.size() < PartHead::kBytes) continue;
    const PartHead head = unpacked(bytes, path());
    Join& join = joins_[head.key];
    if (head.part == 0) join = {};  // a run was killed in the middle of it, or it is there twice
    if (head.part != join.records.size() || join.is_whole) {
      joins_.erase(head.key);
      continue;
    }
    join.records.push_back(record);
    join.measured = head.measured;
    join.is_whole = head.is_last == 1;
  }
  std::erase_if(joins_, [](const auto& join) { return !join.second.is_whole; });
}

std::size_t SavedPairs::joins() const { return joins_.size() + finished_; }

bool SavedPairs::read(std::size_t record, std::vector<SavedPair>& pairs) const {
  const std::optional<std::string> bytes = journal_.read(record);
  if (!bytes) return false;
  const std::size_t size = bytes->size() - PartHead::kBytes;
  if (size % sizeof(SavedPair) != 0 || size > kPairsOfRecord * sizeof(SavedPair)) return false;
  pairs.resize(size / sizeof(SavedPair));
  if (size > 0) std::memcpy(pairs.data(), bytes->data() + PartHead::kBytes, size);
  return true;
}

std::optional<std::uint64_t> SavedPairs::load(std::uint64_t key, const Check& check,
                                              const Each& each) const {
  const auto found = joins_.find(key);
  if (found == joins_.end()) return std::nullopt;
  std::vector<SavedPair> pairs;
  std::optional<SavedPair> last;
  for (const std::size_t record : found->second.records) {
    if (!read(record, pairs) || !are_sorted(pairs, last) || !check(pairs)) return std::nullopt;
  }
  for (const std::size_t record : found->second.records) {
    if (read(record, pairs)) each(pairs);
  }
  return found->second.measured;
}

void SavedPairs::begin(std::uint64_t key) {
  key_ = key;
  part_ = 0;
  unwritten_.clear();
}

void SavedPairs::add(const SavedPair& pair) {
  unwritten_.push_back(pair);
  if (unwritten_.size() == kPairsOfRecord) write(0, false);
}

void SavedPairs::finish(std::uint64_t measured) {
  write(measured, true);
  ++finished_;
}

void SavedPairs::write(std::uint64_t measured, bool is_last) {
  std::string record =
      packed({key_, measured, part_++, static_cast<std::uint8_t>(is_last ? 1 : 0)});
  record.append(reinterpret_cast<const char*>(unwritten_.data()),
                unwritten_.size() * sizeof(SavedPair));
  journal_.append(record);
  unwritten_.clear();
}

}  // namespace sosie

// Reads files of ids for items without ids (--ids, --other-ids), line by line, as they may be
// compressed.
#include "corpus/items/given_ids.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "core/memory_budget.h"
#include "core/size_text.h"
#include "core/utf8.h"
#include "io/file.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// Maximum size of an id besides its characters: its string while the list grows, and its place
// during the search for repeated ids.
constexpr std::uint64_t kBytesOfId = 112;

class IdLines {
 public:
  // `most`: maximum number of ids to keep; further ids are only counted.
  IdLines(const std::string& path, std::uint64_t most, std::uint64_t memory_bytes)
      : path_(path), most_(most), memory_bytes_(memory_bytes) {}

  // Adds the next bytes of the file, which may end anywhere.
  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      line_ += bytes.substr(0, end);
      check_memory();
      if (end == std::string_view::npos) return;
      take_line();
      bytes.remove_prefix(end + 1);
    }
  }

  // Returns all ids of the file.
  [[nodiscard]] std::vector<std::string> take() {
    const bool is_mark = count_ == 0 && line_ == kByteOrderMark;
    if (!line_.empty() && !is_mark) take_line();
    refuse_repeated();
    return std::move(names_);
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  void take_line() {
    std::string_view id = line_;
    if (count_ == 0 && id.starts_with(kByteOrderMark)) id.remove_prefix(kByteOrderMark.size());
    if (id.ends_with('\r')) id.remove_suffix(1);
    if (id.empty()) {
      refuse_repeated();  // which stand before it
      throw Error(ErrorKind::malformed_input,
                  fmt::format("{}:{}: the id is empty", path_, count_ + 1));
    }
    if (++count_ <= most_) {
      names_.emplace_back(id);
      bytes_ += kBytesOfId + id.size();
    }
    line_.clear();
  }

  void check_memory() const {
    const MemoryBudget budget{memory_bytes_};
    if (bytes_ + line_.size() <= budget.ids()) return;
    throw Error(ErrorKind::limit_exceeded, BadPlace{path_},
                fmt::format("its first {} ids take more than half of --memory {}", names_.size(),
                            limit_text(memory_bytes_)),
                "ids are kept in memory: raise --memory");
  }

  // Throws for the first line whose id occurred in an earlier line.
  void refuse_repeated() const {
    using Line = std::pair<std::uint64_t, std::size_t>;  // hash of an id, and its line from 0
    std::vector<Line> lines;
    lines.reserve(names_.size());
    for (const std::string& name : names_) {
      lines.emplace_back(XXH3_64bits(name.data(), name.size()), lines.size());
    }
    std::sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
      if (a.first != b.first) return a.first < b.first;
      return std::tie(names_[a.second], a.second) < std::tie(names_[b.second], b.second);
    });
    std::size_t first = 0;
    std::size_t second = names_.size();
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto [before, line] = std::pair(lines[i - 1].second, lines[i].second);
      if (line >= second || names_[before] != names_[line]) continue;
      first = before;
      second = line;
    }
    if (second == names_.size()) return;
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}:{}: id '{}' is already in line {}", path_, second + 1,
                            names_[second], first + 1));
  }

  const std::string& path_;
  std::uint64_t most_;
  std::uint64_t memory_bytes_;
  std::vector<std::string> names_;
  std::uint64_t count_ = 0;
  std::uint64_t bytes_ = 0;
  std::string line_;  // begin of the next one
};

}  // namespace

ItemIds read_given_ids(const std::string& path, std::optional<std::uint64_t> items,
                       std::uint64_t memory_bytes, const std::atomic<bool>* cancel) {
  const File file(path);
  IdLines lines(path, items.value_or(std::numeric_limits<std::uint64_t>::max()), memory_bytes);
  spool_into([&](std::string_view bytes) { lines.add(bytes); }, file.descriptor(), path, cancel,
             {memory_bytes, 1});
  ItemIds ids;
  ids.names = lines.take();
  const std::uint64_t count = lines.count();
  if (items && count != *items) {
    throw Error(ErrorKind::malformed_input, BadPlace{path},
                fmt::format("{} ids for {} items", count, *items));
  }
  ids.are_integers.assign(ids.names.size(), false);
  return ids;
}

}  // namespace sosie

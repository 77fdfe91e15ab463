#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// The word at a place of a value, which stands in a row of names of the same person.
struct NicknameWord {
  std::uint32_t place = 0;
  std::uint32_t row = 0;

  friend auto operator<=>(const NicknameWord&, const NicknameWord&) = default;
};

// Values of one field of all records. Equal values are stored once and numbered in the order in
// which they come; number 0 is a missing value.
struct RecordColumn {
  static constexpr std::uint32_t kMissing = 0;

  std::string name;
  std::vector<std::uint32_t> values;        // by record: number of its value
  std::vector<std::uint32_t> counts{0};     // by value: records that have it
  std::string bytes;                        // texts of all values
  std::vector<std::uint64_t> starts{0, 0};  // value v: bytes[starts[v] .. starts[v + 1])
  // Values that no record need have: by record the value whose columns are changed about; empty:
  // none are.
  std::vector<std::uint32_t> swapped = {};
  // Bytes of each value that are the columns of LinkField::brief, which stand in front; empty: no
  // columns are brief.
  std::vector<std::uint64_t> brief_bytes = {};
  // Values that a value is a list of, v: members[member_starts[v] .. member_starts[v + 1]); empty:
  // values are no lists.
  std::vector<std::uint64_t> member_starts = {};
  std::vector<std::uint32_t> members = {};
  // Words of a value v that have nicknames: nicknames[nickname_starts[v] .. nickname_starts[v +
  // 1]), by place and row; empty: there are no nicknames.
  std::vector<std::uint64_t> nickname_starts = {};
  std::vector<NicknameWord> nicknames = {};

  [[nodiscard]] std::uint32_t distinct() const noexcept {
    return static_cast<std::uint32_t>(starts.size() - 1);
  }
  [[nodiscard]] std::string_view text(std::uint32_t value) const noexcept {
    return std::string_view(bytes).substr(starts[value], starts[value + 1] - starts[value]);
  }
  [[nodiscard]] std::string_view text_of(std::uint32_t record) const noexcept {
    return text(values[record]);
  }
  // Values that a value is a list of; itself where values are no lists, or it is a member of one.
  [[nodiscard]] std::span<const std::uint32_t> members_of(
      const std::uint32_t& value) const noexcept {
    if (std::size_t{value} + 1 >= member_starts.size()) return {&value, 1};
    const std::uint64_t begin = member_starts[value];
    if (begin == member_starts[value + 1]) return {&value, 1};
    return std::span(members).subspan(begin, member_starts[value + 1] - begin);
  }
  // True if two records may agree by more than the values that they have.
  [[nodiscard]] bool has_variants() const noexcept {
    return !swapped.empty() || !member_starts.empty() || !nickname_starts.empty();
  }
  [[nodiscard]] std::span<const NicknameWord> nicknames_of(std::uint32_t value) const noexcept {
    if (std::size_t{value} + 1 >= nickname_starts.size()) return {};
    return std::span(nicknames).subspan(nickname_starts[value],
                                        nickname_starts[value + 1] - nickname_starts[value]);
  }
  // Memory that the column takes.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept {
    return bytes.capacity() +
           sizeof(std::uint32_t) *
               (values.capacity() + counts.capacity() + swapped.capacity() + members.capacity()) +
           sizeof(std::uint64_t) * (starts.capacity() + brief_bytes.capacity() +
                                    member_starts.capacity() + nickname_starts.capacity()) +
           sizeof(NicknameWord) * nicknames.capacity();
  }
};

[[nodiscard]] inline std::uint64_t memory_bytes_of(std::span<const RecordColumn> columns) noexcept {
  std::uint64_t sum = 0;
  for (const RecordColumn& column : columns) sum += column.memory_bytes();
  return sum;
}

// Values of a field that are no number or day, as its type says: they count as missing.
struct UnparsedValues {
  std::uint64_t records = 0;
  std::vector<std::string> first;  // different ones, in the order in which they come
};

// Records of one collection, or of two: records of the left one have the numbers below `left`.
struct RecordTable {
  std::vector<RecordColumn> columns;
  std::vector<UnparsedValues> unparsed = {};  // by column; empty: none
  std::vector<std::uint64_t> cut_lists = {};  // by column: values of more members than are compared
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  bool across = false;  // two collections: only records of different ones are compared

  [[nodiscard]] std::uint32_t size() const noexcept { return left + right; }
};

}  // namespace sosie

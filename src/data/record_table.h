#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sosie {

// A word that appears in a row of nicknames, identified by its position in a value.
struct NicknameWord {
  std::uint32_t place = 0;
  std::uint32_t row = 0;

  friend auto operator<=>(const NicknameWord&, const NicknameWord&) = default;
};

// The values of a field in all records. Equal values are stored once and numbered in the order of
// their first occurrence; number 0 stands for a missing value.
struct RecordColumn {
  static constexpr std::uint32_t kMissing = 0;

  std::string name;
  std::vector<std::uint32_t> values;        // by record: number of its value
  std::vector<std::uint32_t> counts{0};     // by value: number of records with it
  std::string bytes;                        // texts of all values
  std::vector<std::uint64_t> starts{0, 0};  // value v: bytes[starts[v] .. starts[v + 1])
  // For each record, its value with the columns swapped, which need not occur in any record. Empty
  // if columns are not swapped.
  std::vector<std::uint32_t> swapped = {};
  // For each value, the number of leading bytes that come from the columns in LinkField::brief;
  // empty if no columns are brief.
  std::vector<std::uint64_t> brief_bytes = {};
  // The members of values that are lists; for value v: members[member_starts[v] .. member_starts[v
  // + 1]). Empty if values are not lists.
  std::vector<std::uint64_t> member_starts = {};
  std::vector<std::uint32_t> members = {};
  // The words of value v that have nicknames, by position and row: nicknames[nickname_starts[v] ..
  // nickname_starts[v + 1]). Empty if there are no nicknames.
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
  // The members of a value that is a list; only the value itself if values are not lists or if it
  // is itself a member.
  [[nodiscard]] std::span<const std::uint32_t> members_of(
      const std::uint32_t& value) const noexcept {
    if (std::size_t{value} + 1 >= member_starts.size()) return {&value, 1};
    const std::uint64_t begin = member_starts[value];
    if (begin == member_starts[value + 1]) return {&value, 1};
    return std::span(members).subspan(begin, member_starts[value + 1] - begin);
  }
  // True if records may also agree by values other than their own.
  [[nodiscard]] bool has_variants() const noexcept {
    return !swapped.empty() || !member_starts.empty() || !nickname_starts.empty();
  }
  [[nodiscard]] std::span<const NicknameWord> nicknames_of(std::uint32_t value) const noexcept {
    if (std::size_t{value} + 1 >= nickname_starts.size()) return {};
    return std::span(nicknames).subspan(nickname_starts[value],
                                        nickname_starts[value + 1] - nickname_starts[value]);
  }
  // Memory used by the column.
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

// Values that are not numbers or dates although the type of the field requires it. They count as
// missing.
struct UnparsedValues {
  std::uint64_t records = 0;
  std::vector<std::string> first;  // distinct values, in the order of first occurrence
};

// Records of one or two collections. Records of the left collection have numbers below `left`.
struct RecordTable {
  std::vector<RecordColumn> columns;
  std::vector<UnparsedValues> unparsed = {};  // by column; empty: none
  std::vector<std::uint64_t> cut_lists = {};  // by column: values with too many members
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  bool across = false;  // two collections: only records from different ones are compared

  [[nodiscard]] std::uint32_t size() const noexcept { return left + right; }
};

}  // namespace sosie

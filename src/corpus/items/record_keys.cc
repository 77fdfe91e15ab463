// Keys for blocking and sorting records.
#include "corpus/items/record_keys.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string_view>

#include "core/mix64.h"
#include "core/utf8.h"
#include "corpus/items/value_numbers.h"

namespace sosie {
namespace {

std::string_view first_code_points(std::string_view text, std::uint32_t count) noexcept {
  const auto* begin = reinterpret_cast<const unsigned char*>(text.data());
  const auto* at = begin;
  for (const auto* end = at + text.size(); at != end && count > 0; --count) {
    at += decode_or_escape(at, end).size;
  }
  return text.substr(0, static_cast<std::size_t>(at - begin));
}

// Keys of one field.
std::vector<std::uint32_t> field_keys(const RecordColumn& column, std::uint32_t prefix) {
  if (prefix == 0) return column.values;
  RecordColumn prefixes;
  ValueNumbers numbers(prefixes);
  std::vector<std::uint32_t> key_of(column.distinct());
  for (std::uint32_t value = 1; value < column.distinct(); ++value) {
    key_of[value] = numbers.number_of(first_code_points(column.text(value), prefix));
  }
  std::vector<std::uint32_t> keys;
  keys.reserve(column.values.size());
  for (const std::uint32_t value : column.values) keys.push_back(key_of[value]);
  return keys;
}

// Numbers pairs of keys in order of occurrence; a pair that contains a 0 gets the number 0.
class PairNumbers {
 public:
  // `most`: maximum number of pairs.
  explicit PairNumbers(std::size_t most) : slots_(std::bit_ceil(2 * most + 1)) {}

  // Replaces the first keys by the numbers of the pairs. Prefetches the memory for several
  // pairs.
  void replace(std::span<std::uint32_t> first, std::span<const std::uint32_t> second) {
    std::array<std::size_t, kAtOnce> starts;
    for (std::size_t begin = 0; begin < first.size(); begin += kAtOnce) {
      const std::size_t end = std::min(first.size(), begin + kAtOnce);
      for (std::size_t i = begin; i < end; ++i) {
        starts[i - begin] = start_of(pair_of(first[i], second[i]));
        __builtin_prefetch(&slots_[starts[i - begin]]);
      }
      for (std::size_t i = begin; i < end; ++i) {
        __builtin_prefetch(&pairs_[slots_[starts[i - begin]]]);
      }
      for (std::size_t i = begin; i < end; ++i) first[i] = number_of(first[i], second[i]);
    }
  }

 private:
  static constexpr std::size_t kAtOnce = 64;
  static std::uint64_t pair_of(std::uint32_t first, std::uint32_t second) noexcept {
    return std::uint64_t{first} << 32 | second;
  }
  [[nodiscard]] std::size_t start_of(std::uint64_t pair) const noexcept {
    return mix64(pair) & (slots_.size() - 1);
  }

  [[nodiscard]] std::uint32_t number_of(std::uint32_t first, std::uint32_t second) {
    if (first == 0 || second == 0) return 0;
    const std::uint64_t pair = pair_of(first, second);
    std::size_t place = start_of(pair);
    while (slots_[place] != 0 && pairs_[slots_[place]] != pair) {
      place = (place + 1) & (slots_.size() - 1);
    }
    if (slots_[place] == 0) {
      slots_[place] = static_cast<std::uint32_t>(pairs_.size());
      pairs_.push_back(pair);
    }
    return slots_[place];
  }

  std::vector<std::uint32_t> slots_;  // numbers of pairs, 0: free; a power of two, half free
  std::vector<std::uint64_t> pairs_{0};
};

}  // namespace

std::vector<std::uint32_t> equal_record_keys(const RecordTable& table,
                                             std::span<const std::uint32_t> fields,
                                             std::uint32_t prefix) {
  std::vector<std::uint32_t> keys = field_keys(table.columns[fields.front()], prefix);
  for (const std::uint32_t field : fields.subspan(1)) {
    const std::vector<std::uint32_t> more = field_keys(table.columns[field], prefix);
    PairNumbers(keys.size()).replace(keys, more);
  }
  return keys;
}

std::vector<std::uint32_t> record_classes(const RecordTable& table,
                                          std::span<const std::uint32_t> fields) {
  std::vector<std::uint32_t> classes(table.size(), 1);
  const auto refine = [&](const std::vector<std::uint32_t>& values) {
    std::vector<std::uint32_t> there = values;  // a missing value makes a class, too
    for (std::uint32_t& value : there) ++value;
    PairNumbers(classes.size()).replace(classes, there);
  };
  for (const std::uint32_t field : fields) {
    refine(table.columns[field].values);
    if (!table.columns[field].swapped.empty()) refine(table.columns[field].swapped);
  }
  return classes;
}

std::vector<std::uint32_t> sorted_records(const RecordTable& table,
                                          std::span<const std::uint32_t> fields) {
  // Ranks of the values of each field, so that records are compared by numbers.
  std::vector<std::vector<std::uint32_t>> place_of(fields.size());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const RecordColumn& column = table.columns[fields[f]];
    std::vector<std::uint32_t> values(column.distinct());
    std::iota(values.begin(), values.end(), 0U);
    std::sort(values.begin(), values.end(),
              [&](std::uint32_t a, std::uint32_t b) { return column.text(a) < column.text(b); });
    place_of[f].resize(values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i) place_of[f][values[i]] = i;
  }
  const auto place = [&](std::size_t f, std::uint32_t record) {
    return place_of[f][table.columns[fields[f]].values[record]];
  };
  std::vector<std::uint32_t> order;
  order.reserve(table.size());
  for (std::uint32_t record = 0; record < table.size(); ++record) {
    const bool is_there = std::any_of(fields.begin(), fields.end(), [&](std::uint32_t field) {
      return table.columns[field].values[record] != RecordColumn::kMissing;
    });
    if (is_there) order.push_back(record);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t f = 0; f < fields.size(); ++f) {
      if (place(f, a) != place(f, b)) return place(f, a) < place(f, b);
    }
    return false;
  });
  return order;
}

}  // namespace sosie

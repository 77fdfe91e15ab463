// Puts the strings of a join in order, equal ones as one, and makes their signatures.
#include "candidates/string_order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>

#include "io/external_sort.h"

namespace sosie {
namespace {

constexpr std::uint32_t kClasses = 32;

template <class Symbol>
std::uint32_t symbol(const std::byte* data, std::size_t i) noexcept {
  Symbol value = 0;
  std::memcpy(&value, data + i * sizeof(Symbol), sizeof(Symbol));
  return value;
}

// The first bytes, most significant first.
std::uint64_t prefix_of(std::string_view bytes) noexcept {
  std::uint64_t prefix = 0;
  if (bytes.size() >= sizeof prefix && std::endian::native == std::endian::little) {
    std::memcpy(&prefix, bytes.data(), sizeof prefix);
    return __builtin_bswap64(prefix);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    prefix = prefix << 8 | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
  }
  return prefix;
}

// Rows by length, then bytes, then number.
std::vector<KeyedRow> ordered_rows(const StringColumn& column, const ItemRange& range) {
  std::vector<KeyedRow> rows;
  std::vector<KeyedRow> spare;
  rows.reserve(range.end - range.begin);
  for (std::uint32_t row = range.begin; row < range.end; ++row) {
    rows.push_back({prefix_of(column.row(row).bytes()), row});
  }
  sort_by_key(rows, spare);
  const auto by_length = [&](const KeyedRow& row) {
    return KeyedRow{column.length(row.row), row.row};
  };
  std::transform(rows.begin(), rows.end(), rows.begin(), by_length);
  sort_by_key(rows, spare);
  std::vector<KeyedRow>().swap(spare);
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const std::uint64_t prefix = prefix_of(column.row(rows[begin].row).bytes());
    end = begin + 1;
    while (end < rows.size() && rows[end].key == rows[begin].key &&
           prefix_of(column.row(rows[end].row).bytes()) == prefix) {
      ++end;
    }
    if (end - begin == 1 || rows[begin].key * column.width <= 8) continue;
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(begin),
              rows.begin() + static_cast<std::ptrdiff_t>(end),
              [&](const KeyedRow& a, const KeyedRow& b) {
                const int order = column.row(a.row).bytes().compare(column.row(b.row).bytes());
                return order != 0 ? order < 0 : a.row < b.row;
              });
  }
  return rows;
}

void add_side(const StringColumn& column, const ItemRange& range, OrderedStrings& out) {
  const std::size_t first = out.column.rows();
  out.column.starts.reserve(first + range.end - range.begin + 1);
  out.column.symbols.reserve(
      out.column.symbols.size() +
      (column.starts[range.end] - column.starts[range.begin]) * column.width + kReadBehind);
  for (const KeyedRow& ordered : ordered_rows(column, range)) {
    const SymbolSpan row = column.row(ordered.row);
    const bool is_new =
        out.column.rows() == first || out.column.row(out.column.rows() - 1).bytes() != row.bytes();
    if (is_new) {
      out.starts.push_back(static_cast<std::uint32_t>(out.rows.size()));
      out.column.symbols.insert(out.column.symbols.end(), row.data,
                                row.data + std::size_t{row.length} * row.width);
      out.column.starts.push_back(out.column.starts.back() + row.length);
    }
    out.rows.push_back(static_cast<RowId>(ordered.row));
  }
}

// A bit of its class for each symbol. Frequent ones have classes for themselves as long as there
// are any.
template <class Symbol>
std::vector<std::uint32_t> class_bits(const StringColumn& column) {
  std::vector<std::uint64_t> counts(column.alphabet, 0);
  for (std::size_t i = 0; i < column.starts.back(); ++i) {
    ++counts[symbol<Symbol>(column.symbols.data(), i)];
  }
  std::vector<std::uint32_t> ranked(column.alphabet);
  std::iota(ranked.begin(), ranked.end(), 0U);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  std::vector<std::uint32_t> bits(column.alphabet);
  for (std::uint32_t rank = 0; rank < ranked.size(); ++rank) {
    bits[ranked[rank]] = std::uint32_t{1} << rank % kClasses;
  }
  return bits;
}

template <class Symbol>
std::vector<std::uint64_t> signatures_of(const StringColumn& column) {
  const std::vector<std::uint32_t> bits = class_bits<Symbol>(column);
  std::vector<std::uint64_t> signatures(column.rows());
  for (std::size_t item = 0; item < signatures.size(); ++item) {
    const SymbolSpan string = column.row(item);
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    for (std::uint32_t i = 0; i < string.length; ++i) {
      const std::uint32_t bit = bits[symbol<Symbol>(string.data, i)];
      high ^= low & bit;
      low ^= bit;
    }
    signatures[item] = std::uint64_t{low ^ high} << 32 | high;
  }
  return signatures;
}

std::vector<std::uint64_t> signatures_of(const StringColumn& column) {
  if (column.width == 1) return signatures_of<std::uint8_t>(column);
  if (column.width == 2) return signatures_of<std::uint16_t>(column);
  return signatures_of<std::uint32_t>(column);
}

}  // namespace

OrderedStrings order_strings(const StringColumn& column, const ItemRange& left,
                             const ItemRange& right) {
  OrderedStrings out;
  out.rows.reserve(std::size_t{left.end} - left.begin + right.end - right.begin);
  out.column.width = column.width;
  out.column.alphabet = column.alphabet;
  out.across = right.begin < right.end;
  add_side(column, left, out);
  out.split = out.size();
  add_side(column, right, out);
  out.column.symbols.resize(out.column.symbols.size() + kReadBehind);
  out.starts.push_back(static_cast<std::uint32_t>(out.rows.size()));
  out.signatures = signatures_of(out.column);
  return out;
}

std::vector<LengthRange> lengths_of(const OrderedStrings& strings) {
  std::map<std::uint32_t, LengthRange> lengths;
  LengthRange* last = nullptr;
  for (std::uint32_t item = 0; item < strings.size(); ++item) {
    const std::uint32_t length = strings.column.length(item);
    if (last == nullptr || last->length != length) {
      last = &lengths.try_emplace(length, LengthRange{length, {}, {}}).first->second;
    }
    ItemRange& side = strings.is_left(item) ? last->left : last->right;
    if (side.begin == side.end) side.begin = item;
    side.end = item + 1;
  }
  std::vector<LengthRange> out;
  out.reserve(lengths.size());
  for (const auto& [length, range] : lengths) out.push_back(range);
  return out;
}

}  // namespace sosie

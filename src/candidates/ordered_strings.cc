// Orders the strings of a join, merges equal ones, and scans their signatures for near strings.
#include "candidates/ordered_strings.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <numeric>
#include <string_view>

#include "io/external_sort.h"
#include "kernels/near_signatures.h"

namespace sosie {
namespace {

constexpr std::uint32_t kClasses = 32;

template <class Symbol>
std::uint32_t symbol(const std::byte* data, std::size_t i) noexcept {
  Symbol value = 0;
  std::memcpy(&value, data + i * sizeof(Symbol), sizeof(Symbol));
  return value;
}

template <class Symbol>
void count_symbols(const StringColumn& column, std::vector<std::uint64_t>& counts) {
  for (std::size_t i = 0; i < column.starts.back(); ++i) {
    ++counts[symbol<Symbol>(column.symbols.data(), i)];
  }
}

template <class Symbol>
std::uint64_t signature(const std::vector<std::uint32_t>& bits, const SymbolSpan& string) noexcept {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  for (std::uint32_t i = 0; i < string.length; ++i) {
    const std::uint32_t value = symbol<Symbol>(string.data, i);
    const std::uint32_t bit = bits[value < bits.size() ? value : 0];
    high ^= low & bit;
    low ^= bit;
  }
  return std::uint64_t{low ^ high} << 32 | high;
}

constexpr std::size_t kFetchedRows = 16;  // rows whose symbols are being prefetched

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

struct OrderedRow {
  std::uint64_t key;  // first bytes
  std::uint32_t row;
  std::uint32_t length;
};

void sort_by_length(std::vector<OrderedRow>& rows, std::vector<OrderedRow>& spare) {
  const auto is_shorter = [](const OrderedRow& a, const OrderedRow& b) {
    return a.length < b.length;
  };
  const auto longest = std::max_element(rows.begin(), rows.end(), is_shorter);
  if (longest == rows.end()) return;
  if (longest->length > rows.size()) {
    std::stable_sort(rows.begin(), rows.end(), is_shorter);
    return;
  }
  std::vector<std::size_t> next(std::size_t{longest->length} + 2, 0);
  for (const OrderedRow& row : rows) ++next[std::size_t{row.length} + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  spare.resize(rows.size());
  for (const OrderedRow& row : rows) spare[next[row.length]++] = row;
  rows.swap(spare);
}

// Sorts rows of the same length and with the same first bytes by their hashes; equal rows are
// adjacent, in the order of their numbers.
void sort_alike(const StringColumn& column, std::span<OrderedRow> rows) {
  for (OrderedRow& row : rows) {
    const std::string_view bytes = column.row(row.row).bytes();
    row.key = XXH3_64bits(bytes.data(), bytes.size());
  }
  std::sort(rows.begin(), rows.end(), [&](const OrderedRow& a, const OrderedRow& b) {
    if (a.key != b.key) return a.key < b.key;
    const int order = column.row(a.row).bytes().compare(column.row(b.row).bytes());
    return order != 0 ? order < 0 : a.row < b.row;
  });
}

void fetch(const StringColumn& column, const OrderedRow& row) noexcept {
  __builtin_prefetch(column.symbols.data() + column.starts[row.row] * column.width);
}

// Rows sorted by length, then by first bytes; equal rows are adjacent, in the order of their
// numbers.
std::vector<OrderedRow> ordered_rows(const StringColumn& column, const ItemRange& range) {
  std::vector<OrderedRow> rows;
  std::vector<OrderedRow> spare;
  rows.reserve(range.end - range.begin);
  for (std::uint32_t row = range.begin; row < range.end; ++row) {
    const SymbolSpan string = column.row(row);
    rows.push_back({prefix_of(string.bytes()), row, string.length});
  }
  sort_by_key(rows, spare);
  sort_by_length(rows, spare);
  std::vector<OrderedRow>().swap(spare);
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    end = begin + 1;
    while (end < rows.size() && rows[end].length == rows[begin].length &&
           rows[end].key == rows[begin].key) {
      ++end;
    }
    if (end + kFetchedRows < rows.size()) fetch(column, rows[end + kFetchedRows]);
    if (end - begin == 1 || std::uint64_t{rows[begin].length} * column.width <= 8) continue;
    sort_alike(column, std::span(rows).subspan(begin, end - begin));
  }
  return rows;
}

void add_side(const StringColumn& column, const ItemRange& range, OrderedStrings& out) {
  const std::size_t first = out.column.rows();
  out.column.starts.reserve(first + range.end - range.begin + 1);
  out.column.symbols.reserve(
      out.column.symbols.size() +
      (column.starts[range.end] - column.starts[range.begin]) * column.width + kReadBehind);
  const std::vector<OrderedRow> rows = ordered_rows(column, range);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i + kFetchedRows < rows.size()) fetch(column, rows[i + kFetchedRows]);
    const OrderedRow& ordered = rows[i];
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

}  // namespace

SymbolClasses::SymbolClasses(const StringColumn& column) {
  const std::uint32_t alphabet = std::max(column.alphabet, 1U);
  std::vector<std::uint64_t> counts(alphabet, 0);
  if (column.width == 1) count_symbols<std::uint8_t>(column, counts);
  if (column.width == 2) count_symbols<std::uint16_t>(column, counts);
  if (column.width == 4) count_symbols<std::uint32_t>(column, counts);
  std::vector<std::uint32_t> ranked(alphabet);
  std::iota(ranked.begin(), ranked.end(), 0U);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  bits_.resize(alphabet);
  for (std::uint32_t rank = 0; rank < ranked.size(); ++rank) {
    bits_[ranked[rank]] = std::uint32_t{1} << rank % kClasses;
  }
}

std::uint64_t SymbolClasses::signature_of(const SymbolSpan& string) const noexcept {
  if (string.width == 1) return signature<std::uint8_t>(bits_, string);
  if (string.width == 2) return signature<std::uint16_t>(bits_, string);
  return signature<std::uint32_t>(bits_, string);
}

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
  const SymbolClasses classes(out.column);
  out.signatures.resize(out.size());
  for (std::uint32_t item = 0; item < out.size(); ++item) {
    out.signatures[item] = classes.signature_of(out.column.row(item));
  }
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

std::uint32_t ScannedStrings::different_bits(std::uint64_t signature,
                                             std::uint32_t item) const noexcept {
  return static_cast<std::uint32_t>(std::popcount(signature ^ strings_.signatures[item]));
}

std::span<const std::uint32_t> ScannedStrings::near(std::uint64_t signature, const ItemRange& items,
                                                    std::uint32_t most,
                                                    std::vector<std::uint32_t>& near) const {
  const std::size_t size = items.end - items.begin;
  if (near.size() < size) near.resize(size);
  const std::size_t count = kernels::near_signatures(
      signature, strings_.signatures.data() + items.begin, size, most, near.data());
  for (std::size_t i = 0; i < count; ++i) near[i] += items.begin;
  return std::span(near).first(count);
}

}  // namespace sosie

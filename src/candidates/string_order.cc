// Puts the strings of a join in order, equal ones as one.
#include "candidates/string_order.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "candidates/string_signatures.h"
#include "io/external_sort.h"

namespace sosie {
namespace {

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
  out.column.symbols.reserve(out.column.symbols.size() +
                             (column.starts[range.end] - column.starts[range.begin]) *
                                 column.width);
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

}  // namespace sosie

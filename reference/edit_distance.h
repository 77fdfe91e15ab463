#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// Edit distances as complete tables of the distances between prefixes, from their recurrences (MMDS
// 3.5.5; Levenshtein 1966; Damerau 1964; Lowrance, Wagner, J. ACM 22, 1975). `String` is any type
// with size() and [].
namespace sosie::reference {

using Distances = std::vector<std::vector<std::uint32_t>>;

inline Distances first_edits(std::size_t rows, std::size_t columns) {
  Distances d(rows + 1, std::vector<std::uint32_t>(columns + 1));
  for (std::size_t i = 0; i <= rows; ++i) d[i][0] = static_cast<std::uint32_t>(i);
  for (std::size_t j = 0; j <= columns; ++j) d[0][j] = static_cast<std::uint32_t>(j);
  return d;
}

// The minimum over an insertion, a deletion and, if the symbols are equal or may be replaced, both
// together.
template <class String>
std::uint32_t plain_edit(const Distances& d, const String& x, const String& y, std::size_t i,
                         std::size_t j, bool replaces) {
  const std::uint32_t best = std::min(d[i - 1][j], d[i][j - 1]) + 1;
  if (x[i - 1] == y[j - 1]) return std::min(best, d[i - 1][j - 1]);
  return replaces ? std::min(best, d[i - 1][j - 1] + 1) : best;
}

template <class String>
std::uint32_t levenshtein(const String& x, const String& y, bool replaces = true) {
  Distances d = first_edits(x.size(), y.size());
  for (std::size_t i = 1; i <= x.size(); ++i) {
    for (std::size_t j = 1; j <= y.size(); ++j) d[i][j] = plain_edit(d, x, y, i, j, replaces);
  }
  return d[x.size()][y.size()];
}

template <class String>
std::uint32_t indel(const String& x, const String& y) {
  return levenshtein(x, y, false);
}

// Swaps of two symbols that are adjacent in both strings.
template <class String>
std::uint32_t osa(const String& x, const String& y) {
  Distances d = first_edits(x.size(), y.size());
  for (std::size_t i = 1; i <= x.size(); ++i) {
    for (std::size_t j = 1; j <= y.size(); ++j) {
      d[i][j] = plain_edit(d, x, y, i, j, true);
      const bool swapped = i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[x.size()][y.size()];
}

// Swaps of any two symbols that become adjacent once the symbols between them are deleted, followed
// by any insertions between them.
template <class String>
std::uint32_t damerau(const String& x, const String& y) {
  Distances d = first_edits(x.size(), y.size());
  const auto swapped = [&](std::size_t i, std::size_t j) {
    std::uint32_t best = ~std::uint32_t{0};
    for (std::size_t k = 1; k < i; ++k) {
      for (std::size_t l = 1; l < j; ++l) {
        if (x[k - 1] != y[j - 1] || x[i - 1] != y[l - 1]) continue;
        const std::size_t edits = (i - k - 1) + 1 + (j - l - 1);
        best = std::min(best, d[k - 1][l - 1] + static_cast<std::uint32_t>(edits));
      }
    }
    return best;
  };
  for (std::size_t i = 1; i <= x.size(); ++i) {
    for (std::size_t j = 1; j <= y.size(); ++j) {
      d[i][j] = std::min(plain_edit(d, x, y, i, j, true), swapped(i, j));
    }
  }
  return d[x.size()][y.size()];
}

}  // namespace sosie::reference

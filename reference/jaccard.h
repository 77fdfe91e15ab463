#pragma once

#include <cstdint>
#include <set>

namespace sosie::reference {

// The definition in its slowest and plainest form (MMDS 3.1.1).
inline double jaccard(const std::set<std::uint64_t>& a, const std::set<std::uint64_t>& b) {
  std::set<std::uint64_t> united = a;
  united.insert(b.begin(), b.end());
  if (united.empty()) return 1.0;
  double shared = 0;
  for (const std::uint64_t element : a) shared += b.contains(element) ? 1 : 0;
  return shared / static_cast<double>(united.size());
}

}  // namespace sosie::reference

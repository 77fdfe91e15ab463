// Keys of strings: what deletions leave of them, and their pieces.
#include "candidates/string_keys.h"

#include <cstring>

namespace sosie {
namespace {

constexpr std::uint64_t kBase = 0xD1342543DE82EF95ULL;  // odd, so that it has an inverse
constexpr std::uint64_t kSeed = 0x5C0DE;

// Newton's iteration doubles the bits that are right.
constexpr std::uint64_t inverse_of(std::uint64_t odd) noexcept {
  std::uint64_t inverse = odd;
  for (int i = 0; i < 6; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}

static_assert(inverse_of(kBase) * kBase == 1);

double choose(double n, std::uint32_t k) noexcept {
  double ways = 1;
  for (std::uint32_t i = 0; i < k; ++i) ways *= (n - i) / (i + 1);
  return ways;
}

}  // namespace

double keys_of_item(const KeyJob& job, std::uint32_t length) noexcept {
  if (job.kind == KeyJob::Kind::deletions) return choose(length, job.count);
  if (job.kind == KeyJob::Kind::pieces) return job.count;
  double keys = 0;
  for (std::uint32_t number = 0; number < job.count; ++number) {
    const Window window =
        window_of(piece_of(job.level, job.count, number), number, job.count, job.level, length);
    keys += static_cast<double>(std::max<std::int64_t>(0, window.end - window.begin));
  }
  return keys;
}

StringKeys::StringKeys(const OrderedStrings& strings) : strings_(strings) {
  values_.resize(strings.column.alphabet);
  for (std::uint32_t symbol = 0; symbol < values_.size(); ++symbol) {
    values_[symbol] = random64(kSeed, symbol);
  }
  std::uint32_t longest = 0;
  for (std::size_t i = 0; i < strings.column.rows(); ++i) {
    longest = std::max(longest, strings.column.length(i));
  }
  inverse_powers_.assign(std::size_t{longest} + 1, 1);
  for (std::size_t i = 1; i < inverse_powers_.size(); ++i) {
    inverse_powers_[i] = inverse_powers_[i - 1] * inverse_of(kBase);
  }
}

template <class Symbol>
void StringKeys::hash_symbols(const SymbolSpan& string, Work& work) const {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;
  work.prefixes[0] = 0;
  for (std::uint32_t i = 0; i < string.length; ++i) {
    Symbol symbol = 0;
    std::memcpy(&symbol, string.data + std::size_t{i} * sizeof(Symbol), sizeof(Symbol));
    work.values[i] = values_[symbol];
    hash += values_[symbol] * power;
    power *= kBase;
    work.prefixes[i + 1] = hash;
  }
}

void StringKeys::take(std::uint32_t item, Work& work) const {
  const SymbolSpan string = strings_.column.row(item);
  work.prefixes.resize(std::size_t{string.length} + 1);
  work.values.resize(string.length);
  if (string.width == 1) return hash_symbols<std::uint8_t>(string, work);
  if (string.width == 2) return hash_symbols<std::uint16_t>(string, work);
  hash_symbols<std::uint32_t>(string, work);
}

// With symbols i1 < i2 < ... deleted, what stands between the m-th and the next moves m places to
// the front: (prefix(i_next) - prefix(i_m + 1)) / base^m. Terms are sorted by the deletion that
// they belong to; deletion m (from 1) of `count` stands at row count - m.
void StringKeys::make_terms(std::uint32_t length, std::uint32_t count, Work& work) const {
  work.terms.resize(std::size_t{count} * length);
  for (std::uint32_t m = 1; m <= count; ++m) {
    std::uint64_t* terms = work.terms.data() + std::size_t{count - m} * length;
    for (std::uint32_t i = 0; i < length; ++i) {
      terms[i] = work.prefixes[i] * inverse_power(m - 1) - work.prefixes[i + 1] * inverse_power(m);
    }
  }
}

}  // namespace sosie

#include "decide/pair_file.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint32_t kMillion = 1'000'000;

// A number in [0, 1], to the nearest millionth; nothing when it is none.
std::optional<std::uint32_t> millionths(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (!(number >= 0 && number <= 1)) return std::nullopt;
  return static_cast<std::uint32_t>(number * kMillion + 0.5);
}

}  // namespace

PairFile::PairFile(TableReader& table, const Rational& threshold)
    : table_(table), least_millionths_(*millionths(fmt::format("{:.6f}", threshold.value()))) {
  if (table.columns().empty()) return;
  left_ = table.column("left");
  right_ = table.column("right");
  similarity_ = table.column("similarity");
}

bool PairFile::next() {
  while (read()) {
    if (overlap_.shared >= least_millionths_) return true;
  }
  return false;
}

bool PairFile::read() {
  if (!table_.next()) return false;
  const std::string& text = table_.cells()[similarity_];
  const auto similarity = millionths(text);
  if (!similarity) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("'{}' is no similarity between 0 and 1", text));
  }
  if (left() == right()) {
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("'{}' is paired with itself", left()));
  }
  overlap_ = {*similarity, kMillion};
  return true;
}

}  // namespace sosie

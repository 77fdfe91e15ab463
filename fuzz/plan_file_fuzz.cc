// A plan that can be read is written, and read again, unchanged. The first line of the input is
// read as a rational, whose value is checked in wider integers; the rest is the plan.
#include <fmt/format.h>

#include <numeric>
#include <string>

#include "core/rational.h"
#include "fuzz/input.h"
#include "plan/saved_plan.h"
#include "sosie/error.h"

namespace {

using namespace sosie;
using fuzz::require;

__extension__ using Wide = unsigned __int128;

// The digits in the text as one number, ignoring all other characters.
Wide number_of(std::string_view text) {
  Wide number = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<Wide>(c - '0');
  }
  return number;
}

// Requires the value to be `num` / `den` if 31 bits can express it, and otherwise the next higher
// quotient.
void check_value(const Rational& value, Wide num, Wide den) {
  constexpr std::uint64_t kBelow = std::uint64_t{1} << 31;
  Wide a = num;
  Wide b = den;
  while (b != 0) std::swap(a %= b, b);
  if (a == 0) return;  // 0/0
  if (num / a < kBelow && den / a < kBelow) {
    require(value.num == num / a && value.den == den / a);
    return;
  }
  require(value.num * den >= num * value.den);
  const long double exact = static_cast<long double>(num) / static_cast<long double>(den);
  const long double taken =
      static_cast<long double>(value.num) / static_cast<long double>(value.den);
  require(taken - exact <= (exact + 1) / (kBelow / 2));
}

void check_rational(std::string_view text) {
  constexpr std::uint64_t kBelow = std::uint64_t{1} << 31;
  const auto value = parse_rational(text);
  if (!value || text.size() > 24) return;
  require(value->den > 0 && value->num < kBelow && value->den < kBelow);
  require(std::gcd(value->num, value->den) == 1);
  require(parse_rational(fmt::format("{}/{}", value->num, value->den)) == value);
  require(at_least(value->num, value->den, *value));
  require(value->num == 0 || !at_least(value->num - 1, value->den, *value));
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    check_value(*value, number_of(text.substr(0, slash)), number_of(text.substr(slash + 1)));
    return;
  }
  if (text.find_first_of("eE") != std::string_view::npos) return;
  Wide den = 1;
  for (std::size_t i = std::min(text.find('.'), text.size() - 1) + 1; i < text.size(); ++i) {
    den *= 10;
  }
  check_value(*value, number_of(text), den);
}

void check_plan(std::string_view json) {
  SavedPlan plan;
  try {
    plan = plan_from_json(json, "P.json");
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::malformed_input || error.kind() == ErrorKind::unsupported);
    return;
  }
  require(plan.banding.bands >= 1 && plan.banding.rows >= 1);
  require(plan.banding.bands * plan.banding.rows <= plan.banding.components);
  require(plan.threshold.num >= 1 && plan.threshold.num <= plan.threshold.den);
  const std::string written = plan_to_json(plan);
  require(plan_from_json(written, "P.json") == plan);
  require(plan_to_json(plan_from_json(written, "P.json")) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  check_rational(input.line());
  check_plan(input.rest());
  return 0;
}

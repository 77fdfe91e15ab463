// The basis of estimates from labels comes back as it was saved, or is refused.
#include "store/run/run_estimate.h"

#include <gtest/gtest.h>

#include <string>

#include "sosie/error.h"

namespace sosie {
namespace {

LabelBasis some_basis() {
  LabelBasis basis;
  basis.strata = {{200, 198.25, 190, true}, {1e6, 1.0 / 3, 0, false}};
  basis.links = 191;
  basis.expected_links = 189.9;
  basis.model_precision = 0.97;
  basis.model_f1 = 0.9;
  basis.has_surrounded = true;
  basis.estimated_f1 = 0.1 + 0.2;
  basis.reasons = {"ä \"doubt\""};
  return basis;
}

TEST(RunEstimate, ComesBackToTheLastBit) {
  const LabelBasis basis = some_basis();
  const LabelBasis again = run_estimate_of(run_estimate_json(basis), "estimate.json");
  ASSERT_EQ(again.strata.size(), 2U);
  EXPECT_EQ(again.strata[1].expected, 1.0 / 3);
  EXPECT_FALSE(again.strata[1].is_doubted);
  EXPECT_EQ(again.estimated_f1, basis.estimated_f1);
  EXPECT_EQ(again.reasons, basis.reasons);
  EXPECT_EQ(run_estimate_json(again), run_estimate_json(basis));
  LabelBasis unknown = basis;
  unknown.estimated_f1.reset();
  EXPECT_FALSE(run_estimate_of(run_estimate_json(unknown), "estimate.json").estimated_f1);
}

TEST(RunEstimate, RefusesWhatIsNeverWritten) {
  const std::string text = run_estimate_json(some_basis());
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    const std::size_t at = other.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    other.replace(at, from.size(), to);
    EXPECT_THROW(static_cast<void>(run_estimate_of(other, "estimate.json")), Error) << to;
  };
  refused("\"sosie_estimate\": 1", "\"sosie_estimate\": 2");
  refused("191", "-191");
  refused("191", "\"many\"");
  refused("0.97", "1.97");
  refused("190", "201");
  refused("\"has_surrounded\": true,", "");
  refused("{", "[");
  EXPECT_THROW(static_cast<void>(run_estimate_of("", "estimate.json")), Error);
}

}  // namespace
}  // namespace sosie

#include "plan/saved_plan.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "data/kinds.h"
#include "sosie/error.h"

namespace sosie {
namespace {

SavedPlan example() {
  SavedPlan plan;
  plan.banding = {128, 16, 6, 88};
  return plan;
}

constexpr const char* kExample = R"({
  "sosie_plan": 1,
  "recipe": 1,
  "measure": "jaccard",
  "kind": "text",
  "shingle": "words:5",
  "tokens": "unicode",
  "sketch": "permfill",
  "threshold": "4/5",
  "recall": "0.99",
  "seed": 1,
  "components": 128,
  "bands": 16,
  "rows": 6,
  "filter_agreements": 88
}
)";

// The message when the example is read with one field changed; nullptr removes the field.
std::string message_with(const std::string& field, const nlohmann::json& value,
                         ErrorKind kind = ErrorKind::malformed_input) {
  auto object = nlohmann::json::parse(kExample);
  if (value.is_null()) {
    object.erase(field);
  } else {
    object[field] = value;
  }
  try {
    (void)plan_from_json(object.dump(), "P.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

TEST(PlanFile, PinnedText) {
  EXPECT_EQ(plan_to_json(example()), kExample);
  EXPECT_EQ(plan_from_json(kExample, "P.json"), example());
}

// The forecast is for human readers: numbers have six digits, and without rows there is no number
// of pairs.
TEST(PlanFile, AForecastIsWrittenAndPassedOver) {
  PlanForecast facts;
  facts.half_point = 0.59046387;
  facts.approximate_half_point = 2.0 / 3;
  facts.error_area = 0.125;
  facts.least_errors = {8, 12, 0.0625};
  const std::string without = plan_to_json(example(), &facts);
  facts.brute_pairs = 37'401;
  facts.brute_seconds = 0.25;
  const std::string with = plan_to_json(example(), &facts);
  for (const std::string& text : {without, with}) {
    EXPECT_EQ(plan_from_json(text, "P.json"), example());
  }
  EXPECT_EQ(without.find("brute"), std::string::npos);
  EXPECT_EQ(with.substr(with.find("\"forecast\"")), R"("forecast": {
    "half_point": 0.590464,
    "approximate_half_point": 0.666667,
    "error_area": 0.125,
    "least_error_area": {
      "bands": 8,
      "rows": 12,
      "area": 0.0625
    },
    "brute_pairs": 37401,
    "brute_seconds": 0.25
  }
}
)");
}

SavedPlan hashed_example() {
  SavedPlan plan;
  plan.measure = "euclidean";
  plan.kind = kVectorItems;
  plan.threshold = {3, 2};
  plan.hashed = {.family = "gaussian-segments",
                 .bands = 9,
                 .rows = 6,
                 .segment = 4.5,
                 .sketch_bits = 256,
                 .most_different = 30};
  return plan;
}

constexpr const char* kHashed = R"({
  "sosie_plan": 1,
  "recipe": 1,
  "measure": "euclidean",
  "kind": "vectors",
  "family": "gaussian-segments",
  "within": "3/2",
  "recall": "0.99",
  "seed": 1,
  "bands": 9,
  "rows": 6,
  "segment": 4.5,
  "probes": 1.0,
  "sketch_bits": 256,
  "most_different": 30
}
)";

TEST(PlanFile, PinnedTextOfVectorsAndBits) {
  EXPECT_EQ(plan_to_json(hashed_example()), kHashed);
  EXPECT_EQ(plan_from_json(kHashed, "P.json"), hashed_example());
  SavedPlan bits = hashed_example();
  bits.kind = kBitItems;
  bits.measure = "hamming";
  bits.hashed = {.family = "bit-sampling", .bits = 64, .bands = 6, .rows = 12};
  EXPECT_EQ(plan_from_json(plan_to_json(bits), "P.json"), bits);
}

TEST(PlanFile, RefusesNumbersOfVectorsBeyondTheirBounds) {
  const auto message = [](const std::string& field, const nlohmann::json& value) -> std::string {
    auto object = nlohmann::json::parse(kHashed);
    object[field] = value;
    try {
      (void)plan_from_json(object.dump(), "P.json");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("bands", 16385), "P.json: field 'bands': 16385 is not in 1 to 16384");
  EXPECT_EQ(message("bands", 4000),
            "P.json: field 'rows': 4000 bands of 6 rows are more than 16384 functions");
  EXPECT_EQ(message("segment", -1),
            "P.json: field 'segment': -1 is not in 0 to "
            "1.7976931348623157e+308");
  EXPECT_EQ(message("segment", "4"), "P.json: field 'segment': must be a number");
  EXPECT_EQ(message("most_different", 257),
            "P.json: field 'most_different': 257 is not in 0 to 256");
  EXPECT_EQ(message("within", "-1"),
            "P.json: field 'within': is not a number of at least 0, such as \"3\" or \"1/3\"");
  EXPECT_EQ(message("bits", 64), "P.json: field 'bits': unknown");
}

TEST(PlanFile, WhatIsWrittenIsRead) {
  EXPECT_TRUE(rc::check([] {
    SavedPlan plan;
    plan.shingle = "chars:" + std::to_string(*rc::gen::inRange(1, 100));
    plan.seed = *rc::gen::arbitrary<std::uint64_t>();
    plan.banding.components = 64 << *rc::gen::inRange(0, 5);
    plan.banding.rows = *rc::gen::inRange(1, plan.banding.components + 1);
    plan.banding.bands = *rc::gen::inRange(1, plan.banding.components / plan.banding.rows + 1);
    plan.banding.filter_agreements = *rc::gen::inRange(0, plan.banding.components + 1);
    RC_ASSERT(plan_from_json(plan_to_json(plan), "P.json") == plan);
  }));
}

TEST(PlanFile, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(message_with("bands", nullptr), "P.json: field 'bands': missing");
  EXPECT_EQ(message_with("band", 3), "P.json: field 'band': unknown");
  EXPECT_EQ(message_with("measure", 3), "P.json: field 'measure': must be a string");
  EXPECT_EQ(message_with("tokens", ""), "P.json: field 'tokens': is empty");
  EXPECT_EQ(message_with("threshold", .8), "P.json: field 'threshold': must be a string");
  EXPECT_EQ(message_with("threshold", "5/4"),
            "P.json: field 'threshold': '5/4' is not in (0, 1], such as \"0.8\" or \"4/5\"");
  EXPECT_EQ(message_with("recall", "1"), "P.json: field 'recall': must be below 1");
  EXPECT_EQ(message_with("seed", -1), "P.json: field 'seed': must be a whole number of at least 0");
  EXPECT_EQ(message_with("seed", 1.5),
            "P.json: field 'seed': must be a whole number of at least 0");
  EXPECT_EQ(message_with("components", 2048),
            "P.json: field 'components': 2048 is not in 64 to 1024");
  EXPECT_EQ(message_with("components", 100),
            "P.json: field 'components': 100 is not a power of two");
  EXPECT_EQ(message_with("rows", 9),
            "P.json: field 'rows': 16 bands of 9 rows are more than 128 components");
  EXPECT_EQ(message_with("filter_agreements", 129),
            "P.json: field 'filter_agreements': 129 is not in 0 to 128");
}

TEST(PlanFile, RefusesOtherVersions) {
  EXPECT_EQ(message_with("sosie_plan", 2, ErrorKind::unsupported),
            "P.json: plan format 2, this program reads 1");
  EXPECT_EQ(message_with("recipe", 2, ErrorKind::unsupported),
            "P.json: made with recipe 2, but this program uses recipe 1");
}

TEST(PlanFile, SaysInWhichLineTheJsonIsBroken) {
  try {
    (void)plan_from_json("{\n\"sosie_plan\": 1,\n,", "P.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "P.json:3: not valid JSON");
  }
  try {
    (void)plan_from_json("{\"scripts\": {}}", "package.json");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "package.json: not a plan of sosie");
    EXPECT_EQ(error.hint(), "`sosie plan -o FILE` writes a plan");
  }
  for (const char* text : {"", "[]", "3", "{", "{}", "\xFF", "{\"seed\": 1e999}"}) {
    EXPECT_THROW((void)plan_from_json(text, "P.json"), Error) << text;
  }
}

TEST(PlanFile, GoesThroughAFile) {
  const std::string path =
      ::testing::TempDir() + "sosie-plan-" + std::to_string(::getpid()) + ".json";
  std::ofstream(path) << plan_to_json(example());
  EXPECT_EQ(load_plan(path, nullptr), example());
  std::filesystem::resize_file(path, 100'000);
  EXPECT_THROW((void)load_plan(path, nullptr), Error);
  std::filesystem::remove(path);
  EXPECT_THROW((void)load_plan(path, nullptr), Error);
}

}  // namespace
}  // namespace sosie

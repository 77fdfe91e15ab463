// Tests that a saved run of every kind, and of link, can be reviewed, exported and applied; damage
// is rejected.
#include "sosie/saved_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "join/option_texts_test.h"
#include "sosie/error.h"
#include "sosie/join.h"
#include "sosie/link.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

// A run over rows of one kind: "a" and "b" are near, "c" equals "a", and "d" is unlike all others.
struct RunCase {
  const char* name;
  std::string kind;
  std::array<std::string, 3> values;  // JSON of a, b, d
  OptionTexts given;
};

const std::vector<RunCase> kCases = {
    {"Texts",
     "text",
     {R"("aa bb cc dd")", R"("aa bb cc dd ee")", R"("zz")"},
     {{"shingle", "words:1"}, {"threshold", "0.8"}}},
    {"TextsChained",
     "text",
     {R"("aa bb cc dd")", R"("aa bb cc dd ee")", R"("zz")"},
     {{"shingle", "words:1"}, {"threshold", "0.8"}, {"clustering", "components"}}},
    {"Sets",
     "sets",
     {R"(["a", "b", "c"])", R"(["a", "b", "c", "d"])", R"(["z"])"},
     {{"threshold", "0.75"}}},
    {"Bags",
     "bags",
     {R"(["a", "b", "b"])", R"(["a", "b", "b", "d"])", R"(["z"])"},
     {{"threshold", "0.75"}}},
    {"Vectors",
     "vectors",
     {"[1, 2, 3, 4]", "[1, 2, 3, 9]", "[100, 100, 100, 100]"},
     {{"measure", "euclidean"}, {"within", "5"}}},
    {"Bits",
     "bits",
     {R"("ff00")", R"("ff01")", R"("00ff")"},
     {{"measure", "hamming"}, {"within", "1"}}},
    {"Strings",
     "strings",
     {R"("Katharina")", R"("Katarina")", R"("Bob")"},
     {{"measure", "levenshtein"}, {"within", "1"}}}};

class SavedRunTest : public testing::TestWithParam<RunCase> {
 protected:
  SavedRunTest()
      : folder_(fs::temp_directory_path() / ("sosie-save-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    const auto& [a, b, d] = GetParam().values;
    std::string lines;
    const std::array<std::pair<const char*, std::string>, 4> rows = {
        {{"a", a}, {"b", b}, {"c", a}, {"d", d}}};
    for (const auto& [id, value] : rows) {
      lines += "{\"id\": \"" + std::string(id) + R"(", "title": "T", "v": )" + value + "}\n";
    }
    put(input(), lines);
  }
  ~SavedRunTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string input() const { return (folder_ / "in.jsonl").string(); }
  [[nodiscard]] std::string run() const { return (folder_ / "run").string(); }
  [[nodiscard]] Options options() const {
    Options made;
    for (const auto& [name, value] :
         OptionTexts{{"kind", GetParam().kind}, {"column", "v"}, {"threads", "1"}}) {
      set_option(made, name, value);
    }
    for (const auto& [name, value] : GetParam().given) set_option(made, name, value);
    made.inputs = {input()};
    return made;
  }
  // The rows kept by a run with one more option.
  std::string kept_with(const std::string& name, const std::string& value) const {
    Options made = options();
    set_option(made, name, value);
    set_option(made, "output", (folder_ / "kept.jsonl").string());
    dedup(made);
    return content_of(folder_ / "kept.jsonl");
  }
  [[nodiscard]] std::string applied(const SavedRun& saved) const {
    std::string table;
    saved.export_decisions("tsv", "decisions", [&](std::string_view bytes) { table += bytes; });
    put(folder_ / "decisions.tsv", table);
    return kept_with("reuse", (folder_ / "decisions.tsv").string());
  }
  [[nodiscard]] static std::string ids_of(const std::string& rows) {
    std::string ids;
    for (std::size_t at = rows.find("\"id\": \""); at != rows.npos;
         at = rows.find("\"id\": \"", at)) {
      ids += rows[at += 7];
    }
    return ids;
  }

  fs::path folder_;
};

TEST_P(SavedRunTest, ExportsWhatTheRunKeptUntilAPersonDecides) {
  const std::string kept = kept_with("save", run());
  ASSERT_EQ(ids_of(kept), "ad");
  SavedRun saved(run());
  EXPECT_EQ(applied(saved), kept);
  const Json group = Json::parse(*saved.group(0));
  ASSERT_EQ(group["members"].size(), 3U);
  EXPECT_EQ(group["members"][0]["id"], "a");
  EXPECT_EQ(group["members"][1]["id"], "b");
  EXPECT_EQ(group["members"][2]["identical"], true);
  EXPECT_EQ(group["weakest"], group["members"][1]["value"]);
  for (const Json& member : group["members"]) EXPECT_FALSE(member.contains("trouble")) << member;

  saved.decide(R"({"members": [1], "verdict": "not_duplicate"})");
  EXPECT_EQ(ids_of(applied(saved)), "abd");
  saved.decide(R"({"only": 2})");
  EXPECT_EQ(ids_of(applied(saved)), "cd");
  EXPECT_EQ(Json::parse(saved.decisions())["kept_more"], 0);
  saved.decide(R"({"undo": true})");
  EXPECT_EQ(ids_of(applied(saved)), "abd");
  saved.decide(R"({"undo": true})");
  EXPECT_EQ(applied(saved), kept);
  EXPECT_EQ(Json::parse(saved.decide(R"({"undo": true})"))["undone"], false);
}

TEST_P(SavedRunTest, KeepsDecisionsBesideIt) {
  kept_with("save", run());
  {
    SavedRun saved(run());
    EXPECT_THROW(SavedRun{run()}, Error) << "one process at a time decides";
    saved.decide(R"({"members": [0], "verdict": "remove"})");
    saved.decide(R"({"members": [1], "verdict": "keep"})");
  }
  const fs::path decisions = fs::path(run()) / "decisions.jsonl";
  put(decisions, content_of(decisions) + R"({"keep": [2)");  // killed while it wrote
  {
    SavedRun reader(run(), true);
    EXPECT_EQ(ids_of(applied(reader)), "bd");
    EXPECT_THROW(reader.decide(R"({"undo": true})"), Error);
  }
  SavedRun saved(run());
  saved.decide(R"({"undo": true})");
  EXPECT_EQ(ids_of(applied(saved)), "d");
  EXPECT_EQ(Json::parse(saved.decisions())["reviewed_groups"], 1);
}

TEST_P(SavedRunTest, ForecastsARunOverItsInputs) {
  kept_with("save", run());
  const SavedRun saved(run());
  const Json lines = Json::parse(saved.forecast({}, {}, {}))["lines"];
  ASSERT_GT(lines.size(), 2U);
  EXPECT_TRUE(lines[0]["about"].get<std::string>().ends_with("method")) << lines;
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const Json& line) {
    return line["about"].get<std::string>().ends_with("takes");
  })) << lines;
  EXPECT_THROW(static_cast<void>(saved.forecast("2", {}, {})), Error);
  fs::remove(input());
  EXPECT_THROW(static_cast<void>(saved.forecast({}, {}, {})), Error);
}

TEST_P(SavedRunTest, ShowsNoRowThatHasChanged) {
  kept_with("save", run());
  std::string rows = content_of(input());
  rows[rows.rfind("\"c\"") + 1] = 'x';
  put(input(), rows);
  const Json group = Json::parse(*SavedRun(run()).group(0));
  EXPECT_FALSE(group["members"][0].contains("trouble"));
  ASSERT_TRUE(group["members"][2].contains("trouble"));
  EXPECT_FALSE(group["members"][2].contains("parts"));
  fs::remove(input());
  const Json gone = Json::parse(*SavedRun(run()).group(0));
  EXPECT_TRUE(gone["members"][0].contains("trouble"));
  EXPECT_EQ(gone["members"][0]["id"], "a");
}

TEST_P(SavedRunTest, RefusesEveryFlippedByteOfItsTables) {
  kept_with("save", run());
  for (const char* name : {"groups", "members", "texts"}) {
    const fs::path path = fs::path(run()) / name;
    const std::string bytes = content_of(path);
    for (std::size_t at = 0; at < bytes.size(); at += 5) {
      std::string other = bytes;
      other[at] = static_cast<char>(other[at] ^ 1);
      put(path, other);
      EXPECT_THROW(SavedRun{run()}, Error) << name << " " << at;
    }
    put(path, bytes + "x");
    EXPECT_THROW(SavedRun{run()}, Error);
    put(path, bytes.substr(1));
    EXPECT_THROW(SavedRun{run()}, Error);
    fs::remove(path);
    EXPECT_THROW(SavedRun{run()}, Error);
    put(path, bytes);
  }
  EXPECT_NO_THROW(SavedRun{run()});
}

// Forged facts are either rejected or shown; nothing else happens.
TEST_P(SavedRunTest, TakesAnyFactsOrRefusesThem) {
  kept_with("save", run());
  const fs::path path = fs::path(run()) / "run.json";
  const std::string text = content_of(path);
  const auto look = [&] {
    try {
      SavedRun saved(run());
      static_cast<void>(saved.info() + saved.histogram() + saved.groups({}) + *saved.group(0));
    } catch (const Error&) {
      return;
    }
  };
  for (std::size_t at = 0; at < text.size(); at += 211) {
    for (const char to : {'"', '0', '-', '{', '\0'}) {
      std::string other = text;
      other[at] = to;
      put(path, other);
      look();
    }
  }
  const Json facts = Json::parse(text);
  for (const auto& [name, value] : facts.items()) {
    for (const Json& other :
         {Json(), Json(7), Json(-1), Json("x"), Json::array({1}), Json::object()}) {
      Json changed = facts;
      changed[name] = other;
      put(path, changed.dump());
      look();
      if (name == "version") continue;  // for human readers only
      changed.erase(name);
      put(path, changed.dump());
      EXPECT_THROW(SavedRun{run()}, Error) << name << value;
    }
  }
}

void PrintTo(const RunCase& each, std::ostream* out) { *out << each.name; }

INSTANTIATE_TEST_SUITE_P(Kinds, SavedRunTest, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

// Groups of texts in two inputs, the second of which is larger.
class SavedTexts : public testing::Test {
 protected:
  SavedTexts()
      : folder_(fs::temp_directory_path() / ("sosie-texts-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    put(folder_ / "one.txt", "alpha beta gamma delta\nalpha beta gamma delta\nred green\n");
    put(folder_ / "two.txt",
        "Alpha beta gamma delta\nsun moon stars comets dust\nsun moon stars comets rocks\n"
        "sun moon stars comets dust\nred green\n");
    Options options;
    for (const auto& [name, value] : OptionTexts{{"shingle", "words:1"},
                                                 {"threshold", "0.6"},
                                                 {"threads", "1"},
                                                 {"save", run()},
                                                 {"output", (folder_ / "kept.txt").string()}}) {
      set_option(options, name, value);
    }
    options.inputs = {(folder_ / "one.txt").string(), (folder_ / "two.txt").string()};
    dedup(options);
    saved_.emplace(run());
  }
  ~SavedTexts() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string run() const { return (folder_ / "run").string(); }
  [[nodiscard]] std::vector<std::size_t> groups(const GroupsAsked& asked) const {
    std::vector<std::size_t> numbers;
    const Json page = Json::parse(saved_->groups(asked));
    for (const Json& group : page["groups"]) {
      numbers.push_back(group["group"]);
    }
    return numbers;
  }

  fs::path folder_;
  std::optional<SavedRun> saved_;
};

TEST_F(SavedTexts, AreSortedAndFiltered) {
  using Numbers = std::vector<std::size_t>;  // alpha, red, sun
  EXPECT_EQ(groups({}), (Numbers{0, 2, 1}));
  EXPECT_EQ(groups({.sort = "order"}), (Numbers{0, 1, 2}));
  EXPECT_EQ(groups({.sort = "saved"}), (Numbers{2, 0, 1}));
  EXPECT_EQ(groups({.sort = "weakest"}), (Numbers{2, 0, 1}));
  EXPECT_EQ(groups({.text = "MOON"}), (Numbers{2}));
  EXPECT_EQ(groups({.text = "nowhere"}), (Numbers{}));
  EXPECT_EQ(groups({.source = (folder_ / "one.txt").string()}), (Numbers{0, 1}));
  EXPECT_EQ(groups({.offset = 1, .limit = 1}), (Numbers{2}));
  EXPECT_EQ(groups({.offset = 99}), (Numbers{}));
  EXPECT_THROW((void)groups({.sort = "beauty"}), Error);
  EXPECT_THROW((void)groups({.source = "three.txt"}), Error);
  EXPECT_THROW((void)groups({.state = "sleepy"}), Error);
}

TEST_F(SavedTexts, AreDecidedAllAtOnce) {
  const Json seen = Json::parse(saved_->decide(
      R"({"all": {"text": "sun"}, "below": 0.9, "verdict": "not_duplicate", "preview": true})"));
  EXPECT_EQ(seen["step_rows"], 1);
  EXPECT_EQ(seen["changed_groups"], 0);
  saved_->decide(R"({"all": {"text": "sun"}, "below": 0.9, "verdict": "not_duplicate"})");
  EXPECT_EQ(groups({.state = "changed"}), (std::vector<std::size_t>{2}));
  saved_->decide(R"({"all": {}, "verdict": "agree"})");
  EXPECT_EQ(groups({.state = "open"}).size(), 0U);
  EXPECT_EQ(Json::parse(saved_->decisions())["kept_more"], 1);
  saved_->decide(R"({"all": {}, "verdict": "none"})");
  EXPECT_EQ(Json::parse(saved_->decisions())["kept_more"], 0);
}

TEST_F(SavedTexts, RefuseStepsThatMeanNothing) {
  for (const char* request :
       {"", "[]", "{}", R"({"members": [99], "verdict": "keep"})", R"({"members": 1})",
        R"({"members": [0], "verdict": "eat"})", R"({"only": -1})",
        R"({"groups": [7], "verdict": "agree"})", R"({"all": 1, "verdict": "keep"})",
        R"({"all": {"source": 1}, "verdict": "keep"})",
        R"({"all": {}, "below": "x", "verdict": "keep"})"}) {
    EXPECT_THROW(saved_->decide(request), Error) << request;
  }
  EXPECT_EQ(Json::parse(saved_->decisions())["steps"], 0);
  EXPECT_EQ(saved_->group(3), std::nullopt);
}

TEST_F(SavedTexts, ShowWhatDiffersFromTheKeptRow) {
  const Json group = Json::parse(*saved_->group(2));
  const Json& member = group["members"][1];
  EXPECT_EQ(member["parts"][0]["text"], "sun moon stars comets ");
  EXPECT_EQ(member["parts"][1], (Json{{"kind", "changed"}, {"text", "rocks"}, {"words", 1}}));
  EXPECT_EQ(member["kept_parts"][1]["text"], "dust");
}

TEST_F(SavedTexts, ArePlannedFor) {
  const Json plain = Json::parse(saved_->histogram());
  EXPECT_EQ(plain["bins"][66], 1);  // 4 of 6 words
  const Json tuned = Json::parse(saved_->histogram("0.9", "0.95"));
  EXPECT_GE(tuned["plan"]["expected_recall"], 0.95);
  EXPECT_EQ(tuned["curves"][0]["probabilities"].size(), 201U);
  EXPECT_THROW((void)saved_->histogram("2"), Error);
  EXPECT_THROW((void)saved_->histogram("0.9", "1"), Error);
}

// Two collections with different column names. a1 and b1 differ by one letter; a2 and b2 are equal.
class SavedLinksTest : public testing::Test {
 protected:
  SavedLinksTest()
      : folder_(fs::temp_directory_path() / ("sosie-links-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    std::string left = "id,name,town,note\na1,Katharina Moll,Ulm,<b>\na2,Otto Rapp,Bern,\n";
    std::string right = "id,full_name,town\nb1,Katarina Moll,Ulm\nb2,Otto Rapp,Bern\n";
    for (int i = 3; i < 40; ++i) {
      const std::string row = std::to_string(i * 7919) + " Person " + std::to_string(i * i);
      left += "a" + std::to_string(i) + "," + row + ",Town " + std::to_string(i % 9) + ",\n";
      right += "b" + std::to_string(i) + "," + row + ",Town " + std::to_string(i % 9) + "\n";
    }
    put(folder_ / "a.csv", left);
    put(folder_ / "b.csv", right);
    put(folder_ / "r.toml",
        "version = 1\n[fields]\nname = { columns = [\"name\"], columns_right = [\"full_name\"], "
        "compare = \"jaro-winkler\", levels = [0.9, 0.8] }\ntown = {}\n"
        "[candidates]\nrules = [{ near = [\"name\", \"town\"] }]\n");
    linked({{"save", run()}});
  }
  ~SavedLinksTest() override { fs::remove_all(folder_); }

  // Ids of the links found by a run with further options.
  std::string linked(const OptionTexts& more) const {
    Options options;
    for (const auto& [name, value] :
         OptionTexts{{"threads", "1"}, {"rules", (folder_ / "r.toml").string()}}) {
      set_option(options, name, value);
    }
    for (const auto& [name, value] : more) set_option(options, name, value);
    set_option(options, "output", (folder_ / "links.csv").string());
    options.inputs = {(folder_ / "a.csv").string()};
    options.against = {(folder_ / "b.csv").string()};
    link(options);
    return content_of(folder_ / "links.csv");
  }
  [[nodiscard]] std::string run() const { return (folder_ / "run").string(); }
  [[nodiscard]] static std::uint64_t pair_of(const SavedRun& saved, const std::string& left) {
    const Json page = Json::parse(saved.pairs({.limit = 500}));
    for (const Json& pair : page["pairs"]) {
      if (pair["left_id"] == left && pair["linked"] == true) return pair["pair"];
    }
    throw std::runtime_error(left);
  }
  static std::string exported(const SavedRun& saved, const std::string& as) {
    std::string table;
    saved.export_decisions("tsv", as, [&](std::string_view bytes) { table += bytes; });
    return table;
  }

  fs::path folder_;
};

TEST_F(SavedLinksTest, ShowBothRecordsFieldBesideField) {
  const SavedRun saved(run());
  EXPECT_EQ(Json::parse(saved.info())["groups"], 39);
  const Json pair = Json::parse(*saved.pair(pair_of(saved, "a1")));
  EXPECT_EQ(pair["left"]["id"], "a1");
  EXPECT_EQ(pair["right"]["id"], "b1");
  EXPECT_TRUE(pair["right"]["of_against"]);
  ASSERT_EQ(pair["fields"].size(), 3U);
  const Json& name = pair["fields"][0];
  EXPECT_EQ(name["name"], "name");
  EXPECT_EQ(name["other_name"], "full_name");
  EXPECT_FALSE(name["same"]);
  EXPECT_EQ(name["left"][0], (Json{{"kind", "changed"}, {"text", "Katharina "}, {"words", 1}}));
  EXPECT_TRUE(pair["fields"][1]["same"]);
  EXPECT_EQ(pair["fields"][2]["left"][0]["text"], "<b>");
  EXPECT_TRUE(pair["fields"][2]["right"].empty());
  EXPECT_EQ(saved.pair(99999), std::nullopt);
}

TEST_F(SavedLinksTest, AreJudgedAndTheJudgementsApplied) {
  {
    SavedRun saved(run());
    for (const auto& [id, verdict] : OptionTexts{{"a1", "different"}, {"a2", "match"}}) {
      saved.decide(Json{{"pairs", {pair_of(saved, id)}}, {"verdict", verdict}}.dump());
    }
    const Json last = Json::parse(
        saved.decide(Json{{"pairs", {pair_of(saved, "a3")}}, {"verdict", "unsure"}}.dump()));
    EXPECT_EQ(last["decided_pairs"], 3);
    EXPECT_EQ(last["changed_pairs"], 1);
    EXPECT_EQ(Json::parse(saved.pairs({.state = "changed"}))["pairs"][0]["left_id"], "a1");
    EXPECT_EQ(Json::parse(saved.pairs({.state = "decided"}))["matching"], 3);
  }
  SavedRun saved(run());  // they are on disk
  const Json undone = Json::parse(saved.decide(R"({"undo": true})"));
  EXPECT_EQ(undone["pair"], pair_of(saved, "a3"));
  EXPECT_EQ(undone["unsure"], 0);
  saved.decide(Json{{"pairs", {pair_of(saved, "a3")}}, {"verdict", "unsure"}}.dump());
  const std::string labels = exported(saved, "labels");
  for (const char* line : {"left\tright\tlabel\n", "a1\tb1\t0\n", "a2\tb2\t1\n", "a3\tb3\t\n"}) {
    EXPECT_NE(labels.find(line), std::string::npos) << labels;
  }
  put(folder_ / "decisions.tsv", exported(saved, "decisions"));
  const std::string links = linked(
      {{"reuse", (folder_ / "decisions.tsv").string()}, {"save", (folder_ / "again").string()}});
  EXPECT_EQ(links.find("a1,"), std::string::npos) << links;
  EXPECT_NE(links.find("a2,b2"), std::string::npos) << links;
  // A review of that run continues where this one ended.
  const SavedRun again((folder_ / "again").string());
  const std::string kept = exported(again, "decisions");
  EXPECT_NE(kept.find("a1\tb1\trejected\n"), std::string::npos) << kept;
  EXPECT_NE(kept.find("a2\tb2\taccepted\n"), std::string::npos) << kept;
  EXPECT_EQ(exported(again, "labels"), "left\tright\tlabel\n");
}

TEST_F(SavedLinksTest, AreSortedAndFiltered) {
  const SavedRun saved(run());
  const auto first = [&](const PairsAsked& asked) {
    return Json::parse(saved.pairs(asked))["pairs"][0];
  };
  EXPECT_EQ(first({.sort = "order", .answer = "linked"})["left_id"], "a1");
  EXPECT_LE(first({.sort = "weakest"})["score"], first({.sort = "strongest"})["score"]);
  EXPECT_TRUE(first({})["suggested"]);
  EXPECT_EQ(first({.answer = "linked", .text = "KATHARINA"})["left_id"], "a1");
  const Json pair = first({.answer = "linked", .text = "KATHARINA"});
  EXPECT_EQ(first({.answer = "linked", .group = pair["left_group"].get<std::uint64_t>()}), pair);
  EXPECT_EQ(Json::parse(saved.pairs({.text = "nowhere"}))["matching"], 0);
  EXPECT_EQ(Json::parse(saved.groups({}))["matching"], 39);
  EXPECT_THROW((void)saved.pairs({.sort = "beauty"}), Error);
  EXPECT_THROW((void)saved.pairs({.state = "reviewed"}), Error);
  EXPECT_THROW((void)saved.pairs({.answer = "perhaps"}), Error);
  EXPECT_THROW((void)saved.pairs({.limit = 501}), Error);
  EXPECT_THROW((void)saved.histogram(), Error);
  EXPECT_THROW(exported(saved, "poems"), Error);
}

TEST_F(SavedLinksTest, RefuseStepsAndBytesThatMeanNothing) {
  {
    SavedRun saved(run());
    for (const char* request :
         {R"({"members": [0], "verdict": "keep"})", R"({"pairs": [0], "verdict": "keep"})",
          R"({"pairs": [99999], "verdict": "match"})", R"({"pairs": 1, "verdict": "match"})",
          R"({"groups": [0], "verdict": "agree"})", "{}"}) {
      EXPECT_THROW(saved.decide(request), Error) << request;
    }
    EXPECT_EQ(Json::parse(saved.decisions())["steps"], 0);
  }
  const fs::path path = fs::path(run()) / "pairs";
  const std::string bytes = content_of(path);
  for (std::size_t at = 0; at < bytes.size(); at += 5) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 1);
    put(path, other);
    EXPECT_THROW(SavedRun{run()}, Error) << at;
  }
  put(path, bytes.substr(0, bytes.size() - 40));
  EXPECT_THROW(SavedRun{run()}, Error);
  fs::remove(path);
  EXPECT_THROW(SavedRun{run()}, Error);
}

TEST_F(SavedLinksTest, TakeAnyFactsOrRefuseThem) {
  const fs::path path = fs::path(run()) / "run.json";
  const std::string text = content_of(path);
  const auto look = [&](const std::string& facts) {
    put(path, facts);
    try {
      const SavedRun saved(run());
      static_cast<void>(saved.info() + saved.pairs({}) + *saved.pair(0) + saved.groups({}) +
                        *saved.group(0) + exported(saved, "labels"));
    } catch (const Error&) {
      return;
    }
  };
  for (std::size_t at = 0; at < text.size(); at += 311) {
    for (const char to : {'"', '0', '-', '{', '\0'}) {
      std::string other = text;
      other[at] = to;
      look(other);
    }
  }
  const Json facts = Json::parse(text);
  for (const auto& [name, value] : facts.items()) {
    for (const Json& other : {Json(), Json(1), Json("text"), Json::array({1}),
                              Json::array({Json::array({"a", ""})}), Json::object()}) {
      Json changed = facts;
      changed[name] = other;
      look(changed.dump());
    }
    if (name == "version") continue;  // for human readers only
    Json changed = facts;
    changed.erase(name);
    put(path, changed.dump());
    EXPECT_THROW(SavedRun{run()}, Error) << name;
  }
}

TEST_F(SavedLinksTest, SayWhichRecordHasChanged) {
  std::string rows = content_of(folder_ / "b.csv");
  rows.replace(rows.find("Katarina"), 8, "Margaret");
  put(folder_ / "b.csv", rows);
  const SavedRun saved(run());
  const Json pair = Json::parse(*saved.pair(pair_of(saved, "a1")));
  EXPECT_FALSE(pair["left"].contains("trouble"));
  EXPECT_NE(pair["right"]["trouble"].get<std::string>().find("has changed"), std::string::npos);
  EXPECT_EQ(pair.dump().find("Margaret"), std::string::npos);
}

}  // namespace
}  // namespace sosie

// Tests the table kind x verb x option: every cell works, or is rejected with the words in its row.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "data/kinds.h"
#include "sosie/error.h"
#include "sosie/help.h"
#include "sosie/index_folder.h"
#include "sosie/join.h"
#include "sosie/link.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

using Given = std::vector<std::pair<std::string, std::string>>;

// The message about the first option that does not apply to the kind; empty if there is none.
std::string first_refusal(const Given& given, std::string_view kind) {
  for (const auto& [name, value] : given) {
    const std::string refusal = refusal_of(*find_option(name), kind_called(kind));
    if (!refusal.empty()) return "--" + name + ": " + refusal;
  }
  return {};
}

class OptionKinds : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("sosie_kinds_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    write("text.jsonl",
          "{\"id\": \"a\", \"text\": \"the one two\"}\n{\"id\": \"b\", \"text\": \"x\"}\n");
    write("sets.jsonl",
          "{\"id\": \"a\", \"text\": [\"x\", \"y\"]}\n{\"id\": \"b\", \"text\": [\"x\"]}\n");
    write("bags.jsonl",
          "{\"id\": \"a\", \"text\": [\"x\", \"x\"]}\n{\"id\": \"b\", \"text\": [\"x\"]}\n");
    write("vectors.jsonl", "{\"text\": [1, 2]}\n{\"text\": [3, 5]}\n");
    write("strings.jsonl", "{\"text\": \"one\"}\n{\"text\": \"ones\"}\n");
    write("records.jsonl",
          "{\"text\": \"one\", \"city\": \"a\"}\n{\"text\": \"ones\", \"city\": \"b\"}\n");
    write("bits.jsonl", "{\"text\": \"0f\"}\n{\"text\": \"1f\"}\n");
    write("group.csv", "s,e,w\na,x,1\na,y,2\nb,x,2\n");
    write("rated.jsonl",
          "{\"id\": \"a\", \"text\": {\"x\": 1}}\n{\"id\": \"b\", \"text\": {\"x\": 2}}\n");
    write("points.jsonl",
          "{\"id\": \"a\", \"text\": [[1, 2]]}\n{\"id\": \"b\", \"text\": [\"3,4\"]}\n");
    write("ids.txt", "a\nb\n");
    write("words.txt", "the\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  // The rows on which options are tested for this kind.
  [[nodiscard]] std::string input(std::string_view kind, std::string_view option) const {
    if (option == "group-by" || option == "element" || option == "weight") {
      return path("group.csv");
    }
    if (option == "ratings") return path("rated.jsonl");
    if (option == "represent") return path("points.jsonl");
    return path(std::string(kind) + ".jsonl");
  }

  // A value of the option, with any other options that it requires.
  [[nodiscard]] Given given(const OptionRow& row, std::string_view kind, const Verb& verb) {
    const std::string name(row.name);
    const bool in_memory = kind == "vectors" || kind == "bits" || kind == "strings";
    Given given;
    const bool bounded = name == "within" || name == "threshold";
    if (in_memory && !bounded && (verb.bit != kQuery || name != "top")) {
      given.emplace_back(kind == "vectors" ? "threshold" : "within",
                         kind == "vectors" ? "0.5" : "2");
    }
    for (auto& more : companions(name, kind)) given.push_back(more);
    if (row.name == "kind") return {};       // each run gives it
    if (row.name == "no-header") return {};  // for CSV, like delimiter
    if (row.name == "add") return {};        // to an index, not a file
    if (row.type == OptionType::flag) {
      given.emplace_back(name, "true");
    } else if (row.type == OptionType::choice) {
      given.emplace_back(
          name, value_of(name).value_or(std::string(row.choices.substr(0, row.choices.find('|')))));
    } else if (const auto value = value_of(name)) {
      given.emplace_back(name, *value);
    }
    return given;
  }

  [[nodiscard]] Given companions(const std::string& name, std::string_view kind) const {
    const Given group = {{"group-by", "s"}, {"element", "e"}};
    if (name == "group-by") return {{"element", "e"}};
    if (name == "element") return {{"group-by", "s"}};
    if (name == "weight") return group;
    if (name == "stopwords") return {{"shingle", "stopwords:1"}};
    if (name == "filters") return {{"method", "exact"}};
    if (name == "union") return {{"measure", "bag-jaccard"}, {"threshold", "0.3"}};
    if (name == "other-ids") return {{"against", input(kind, "")}};
    if (name == "threshold" && kind == "bits") return {{"measure", "jaccard"}};
    if (name == "within" && kind == "vectors") return {{"measure", "angle"}};
    if (name == "squares" && kind == "sets") {
      return {{"family", "grid-triples"}, {"construct", "or:8"}};
    }
    if (name == "assign") return {{"against", input(kind, "")}};
    return {};
  }

  [[nodiscard]] std::optional<std::string> value_of(const std::string& name) const {
    static const std::map<std::string, std::string> values = {{"encoding", "utf-8"},
                                                              {"column", "text"},
                                                              {"id", "row"},
                                                              {"ratings", "drop:1"},
                                                              {"represent", "grid:2"},
                                                              {"group-by", "s"},
                                                              {"element", "e"},
                                                              {"weight", "w"},
                                                              {"threshold", "0.4"},
                                                              {"within", "0"},
                                                              {"shingle", "chars:2"},
                                                              {"filters", "length"},
                                                              {"recall", "0.9"},
                                                              {"seed", "7"},
                                                              {"audit", "2"},
                                                              {"keep", "last"},
                                                              {"top", "1"},
                                                              {"top-pairs", "1"},
                                                              {"limit", "9"},
                                                              {"threads", "1"},
                                                              {"memory", "1G"},
                                                              {"scratch-limit", "1G"},
                                                              {"simd", "auto"},
                                                              {"probes", "1"},
                                                              {"ignore", "city"},
                                                              {"cut", "0.5"},
                                                              {"check-by", "city"},
                                                              {"truth", "column:city"}};
    if (const auto found = values.find(name); found != values.end()) return found->second;
    if (name == "ids" || name == "other-ids") return path("ids.txt");
    if (name == "stopwords") return path("words.txt");
    if (name == "scratch") return folder_.string();
    return std::nullopt;
  }

  // Runs the verb; its output does not matter.
  void run(const Verb& verb, Options options) const {
    RunHooks hooks;
    RowPairs pairs;
    RowDecisions decisions;
    if (verb.bit == kPairs) hooks.pairs = &pairs;
    if (verb.bit == kDedup && options.group_by.empty()) hooks.decisions = &decisions;
    if (verb.bit == kQuery) options.inputs.push_back(options.inputs.front());
    options.quiet = true;
    options.threads = 1;
    if (verb.bit == kDedup) {
      options.output = path("out" + fs::path(options.inputs.front()).extension().string());
    }
    if (verb.bit == kQuery) options.output = path("out.tsv");
    switch (verb.bit) {
      case kDedup:
        (void)dedup(options, hooks);
        break;
      case kPairs:
        (void)sosie::pairs(options, hooks);
        break;
      case kQuery:
        (void)query(options, hooks);
        break;
      case kPlan:
        (void)plan(options, hooks);
        break;
      case kExplain:
        (void)(options.against.empty() ? explain(options, "0", "1", hooks)
                                       : explain(options, "a:0", "b:1", hooks));
        break;
      default:
        sketch_by_plan(options, hooks);
        break;
    }
  }

  // Makes the plan with the same options.
  void sketch_by_plan(Options options, const RunHooks& hooks) const {
    options.plan = path("plan.json");
    Options planned = options;
    planned.method = Method::lsh;
    planned.plan.clear();
    planned.output = options.plan;
    (void)plan(planned, hooks);
    options.output = path("out.sketches");
    (void)sketch(options, hooks);
  }

  fs::path folder_;
};

TEST_P(OptionKinds, EachCellWorksOrIsRefusedWithTheWordsOfItsRow) {
  const std::string kind = GetParam();
  int refused = 0;
  for (const Verb& verb : verb_table()) {
    // These verbs have no items of a kind, or take records or a folder instead.
    if (has_any(kCluster | kLink | kIndex | kServe | kDemo, verb.bit)) continue;
    if (!refusal_of(verb.bit, kind_called(kind)).empty()) continue;
    for (const OptionRow& row : option_table()) {
      if (!has_any(row.verbs, verb.bit)) continue;
      const std::string refusal = refusal_of(row, kind_called(kind));
      const Given cell = given(row, kind, verb);
      const bool has_value = !cell.empty() && cell.back().first == row.name;
      if (!has_value) continue;  // names a file: other tests have these
      Options options;
      options.inputs = {input(kind, row.name)};
      options.kind = kind_called(kind);
      if (verb.bit == kExplain) options.id = "row";
      std::string said;
      try {
        for (const auto& [name, value] : cell) set_option(options, name, value);
        run(verb, options);
      } catch (const Error& error) {
        said = error.what();
      }
      const bool is_hashed = verb.bit != kSketch || kind != "bits" || row.name != "threshold";
      EXPECT_EQ(said, is_hashed ? first_refusal(cell, kind)
                                : "--measure jaccard: there is no lsh for it")  // for bit sets
          << kind << " " << verb.name << " --" << row.name;
      if (!refusal.empty()) ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

TEST_P(OptionKinds, EachVerbWorksOrIsRefusedWithTheWordsOfItsRow) {
  const std::string kind = GetParam();
  int refused = 0;
  for (const Verb& verb : verb_table()) {
    const std::string refusal = refusal_of(verb.bit, kind_called(kind));
    if (refusal.empty()) continue;  // the options are tried with it
    ++refused;
    Options options;
    options.inputs = {input(kind, "")};
    options.kind = kind_called(kind);
    options.plan = path("plan.json");
    options.output = path("out.sketches");
    try {
      if (verb.bit == kSketch) {
        (void)sketch(options, {});
      } else {
        run(verb, options);
      }
      ADD_FAILURE() << kind << " " << verb.name;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), std::string(verb.name) + ": " + refusal);
    }
  }
  EXPECT_EQ(refused, kind == "records" ? 5 : kind == "strings" ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, OptionKinds,
                         testing::Values("text", "sets", "bags", "vectors", "bits", "strings",
                                         "records"),
                         [](const auto& of_kind) { return of_kind.param; });

}  // namespace
}  // namespace sosie

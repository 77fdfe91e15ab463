// Tests of the command line that reproduces a run, as parsed by a shell.
#include "report/repeat_command.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdio>

namespace sosie {
namespace {

// The words of a command line, as split by a shell.
std::vector<std::string> words_of(const std::string& line) {
  std::string script = "set -- " + line + "\nfor word; do printf '%s\\0' \"$word\"; done";
  std::string quoted = "exec sh -c '";
  for (const char c : script) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  FILE* pipe = ::popen((quoted + "'").c_str(), "r");
  std::vector<std::string> words;
  std::string word;
  for (int c; (c = std::fgetc(pipe)) != EOF;) {
    if (c == 0) {
      words.push_back(word);
      word.clear();
    } else {
      word += static_cast<char>(c);
    }
  }
  ::pclose(pipe);
  return words;
}

RC_GTEST_PROP(RepeatCommand, NamesInputsAsAShellReadsThem, ()) {
  Options options;
  const auto letter =
      rc::gen::element('a', ' ', '\'', '"', '$', '`', '\\', '*', '-', '\n', '~', '#', '!');
  options.inputs = *rc::gen::resize(
      8, rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(letter)));
  std::vector<std::string> expected = {"sosie", "dedup"};
  const bool dashes =
      std::any_of(options.inputs.begin(), options.inputs.end(),
                  [](const auto& input) { return input.size() > 1 && input[0] == '-'; });
  if (dashes) expected.emplace_back("--");
  expected.insert(expected.end(), options.inputs.begin(), options.inputs.end());
  RC_ASSERT(words_of(repeat_command(kDedup, options)) == expected);
}

std::string command(const std::vector<std::pair<std::string, std::string>>& given,
                    const std::vector<std::string>& inputs = {"in.csv"}) {
  Options options;
  for (const auto& [name, value] : given) set_option(options, name, value);
  options.inputs = inputs;
  return repeat_command(kDedup, options);
}

TEST(RepeatCommand, SaysWhatWasGivenAndDecidesTheResult) {
  EXPECT_EQ(command({}), "sosie dedup in.csv");
  EXPECT_EQ(command({{"threshold", "0.9"}}), "sosie dedup --threshold 0.9 in.csv");
  EXPECT_EQ(command({{"threshold", "0.8"}}), "sosie dedup in.csv") << "the default";
  EXPECT_EQ(command({{"threads", "3"}, {"memory", "1G"}}), "sosie dedup in.csv");
  EXPECT_EQ(command({{"dry-run", "true"}}), "sosie dedup --dry-run in.csv");
  EXPECT_EQ(command({{"dry-run", "false"}}), "sosie dedup in.csv");
  EXPECT_EQ(command({{"against", "a b"}, {"against", "c"}}),
            "sosie dedup --against 'a b' --against c in.csv");
  // An option with an implied value gets its value after an equals sign.
  EXPECT_EQ(command({{"audit", "77"}}), "sosie dedup --audit=77 in.csv");
  EXPECT_EQ(command({{"audit", "1000"}}), "sosie dedup --audit in.csv");
  EXPECT_EQ(command({}, {"-"}), "sosie dedup -");
  EXPECT_EQ(command({}, {"-x", "y"}), "sosie dedup -- -x y");
}

// The verbs replace a list with its files; a command names one or the other.
TEST(RepeatCommand, NamesAListOrItsFilesButNotBoth) {
  for (const auto& [list, words] :
       {std::pair{"list.txt", " --files-from list.txt"}, std::pair{"-", " a.csv b.csv"}}) {
    Options options;
    set_option(options, "files-from", list);
    options.files_from.clear();
    options.inputs = {"a.csv", "b.csv"};
    EXPECT_EQ(repeat_command(kDedup, options), std::string("sosie dedup") + words);
    const std::string applied = apply_command(options, "/data/a.csv");
    EXPECT_NE(applied.find(words), std::string::npos) << applied;
    EXPECT_EQ(applied.find("a.csv") != std::string::npos, list == std::string_view("-"));
  }
}

TEST(RepeatCommand, WritesIntoNoFolderThatThisRunFilled) {
  EXPECT_EQ(command({{"output", "out/"}}), "sosie dedup --output out-2/ in.csv");
  EXPECT_EQ(command({{"output", "a/b//"}}), "sosie dedup --output a/b-2/ in.csv");
  EXPECT_EQ(command({{"output", "./"}}), "sosie dedup --output ./out-2/ in.csv");
  EXPECT_EQ(command({{"save", "run"}, {"removed-rows", "gone/"}}),
            "sosie dedup --removed-rows gone-2/ --save run-2 in.csv");
  for (const char* what : {"true", "same", "all"}) {
    EXPECT_EQ(command({{"output", "out/"}, {"overwrite", what}}),
              "sosie dedup --output out-2/ in.csv");
  }
  EXPECT_EQ(command({{"output", "out.csv"}}), "sosie dedup --output out.csv in.csv");
}

std::string applying(const std::vector<std::pair<std::string, std::string>>& given,
                     const std::vector<std::string>& inputs = {"in.csv"}) {
  Options options;
  for (const auto& [name, value] : given) set_option(options, name, value);
  options.inputs = inputs;
  return apply_command(options, "/data/in.csv.gz");
}

TEST(JudgedCommand, RepeatsALinkWithTheJudgementsOfAReview) {
  Options options;
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"against", "b.csv"},
                                                        {"rules", "r.toml"},
                                                        {"labels", "old.csv"},
                                                        {"reuse", "old.tsv"},
                                                        {"model", "w.json"},
                                                        {"report", "r.html"},
                                                        {"save", "run"},
                                                        {"output", "out/links.csv"},
                                                        {"threads", "2"}}) {
    set_option(options, name, value);
  }
  options.inputs = {"a.csv"};
  const std::string applied = judged_command(options, "reuse", "decisions.tsv", {});
  EXPECT_EQ(applied.find("old.tsv"), std::string::npos) << applied;
  for (const char* words :
       {"sosie link ", " --against b.csv", " --rules r.toml", " --labels old.csv",
        " --reuse decisions.tsv -o out/links-reviewed.csv a.csv"}) {
    EXPECT_NE(applied.find(words), std::string::npos) << applied << words;
  }
  for (const char* words : {"model", "report", "save", "threads"}) {
    EXPECT_EQ(applied.find(words), std::string::npos) << applied << words;
  }
  const std::string learning = judged_command(options, "labels", "labels.tsv", {});
  EXPECT_NE(learning.find(" --reuse old.tsv"), std::string::npos) << learning;
  EXPECT_EQ(learning.find("old.csv"), std::string::npos) << learning;
  options.output.clear();
  EXPECT_NE(judged_command(options, "reuse", "d.tsv", {}).find("-o reviewed.tsv "),
            std::string::npos);
  EXPECT_NE(judged_command(options, "reuse", "d.tsv", "/in/a.csv.gz").find("-o reviewed.csv.gz "),
            std::string::npos);
}

TEST(ApplyCommand, ReadsTheRowsAsTheRunDidAndWritesANewOutput) {
  EXPECT_EQ(applying({}), "sosie dedup --reuse decisions.tsv -o reviewed.csv.gz in.csv");
  EXPECT_EQ(applying({{"output", "a.b/kept.jsonl.gz"}}),
            "sosie dedup --reuse decisions.tsv -o a.b/kept-reviewed.jsonl.gz in.csv");
  EXPECT_EQ(applying({{"output", "out/"}}),
            "sosie dedup --reuse decisions.tsv -o out-reviewed/ in.csv");
  EXPECT_EQ(applying({{"output", "kept"}}),
            "sosie dedup --reuse decisions.tsv -o kept-reviewed in.csv");
  EXPECT_EQ(applying({{"id", "row"}, {"column", "a b"}, {"delimiter", ";"}}, {"-x", "it's"}),
            "sosie dedup --delimiter ';' --column 'a b' --id row --reuse decisions.tsv -o "
            "reviewed.csv.gz -- -x 'it'\\''s'");
  EXPECT_EQ(applying({{"against", "old"},
                      {"other-id", "key"},
                      {"save", "run"},
                      {"report", "r"},
                      {"removed", "r.tsv"},
                      {"rejects", "bad.tsv"},
                      {"threads", "2"},
                      {"threshold", "0.9"},
                      {"annotate", "kept"}}),
            "sosie dedup --threshold 0.9 --annotate kept --reuse decisions.tsv -o reviewed.csv.gz "
            "in.csv");
}

TEST(RepeatCommand, CountsInputsThatAreTooMany) {
  const std::vector<std::string> inputs(30, std::string(10'000, 'x'));
  const std::string line = command({}, inputs);
  EXPECT_TRUE(line.ends_with("xxx ... and 20 more")) << line.substr(line.size() - 40);
}

std::string shown(const std::vector<ReportParameter>& parameters, const std::string& name) {
  for (const ReportParameter& each : parameters) {
    if (each.name == name) return each.value + (each.is_default ? " (default)" : "");
  }
  return {};
}

TEST(ReportParameters, HaveTheValuesOfTheRun) {
  Options options;
  set_option(options, "threshold", "0.9");
  set_option(options, "recall", "0.99");
  set_option(options, "against", "a");
  set_option(options, "against", "b");
  MethodChoice choice;
  choice.banding = {.components = 128, .bands = 14, .rows = 8};
  const auto hashed = report_parameters(kDedup, options, chosen_of(choice));
  EXPECT_EQ(shown(hashed, "threshold"), "0.9");
  EXPECT_EQ(shown(hashed, "recall"), "0.99 (default)");
  EXPECT_EQ(shown(hashed, "against"), "a, b");
  EXPECT_EQ(shown(hashed, "method"), "auto (here: lsh) (default)");
  EXPECT_EQ(shown(hashed, "bands"), "14x8 (planned) (default)");
  EXPECT_EQ(shown(hashed, "threads"), "") << "changes no result";
  EXPECT_EQ(shown(hashed, "top"), "") << "is for other verbs";
  EXPECT_FALSE(hashed.front().help.empty());
  choice.exact = true;
  const auto exact = report_parameters(kDedup, options, chosen_of(choice));
  EXPECT_EQ(shown(exact, "method"), "auto (here: exact) (default)");
  EXPECT_EQ(shown(exact, "bands"), "none: every pair is compared (default)");
  EXPECT_NE(shown(report_parameters(kPairs, options, chosen_of(choice)), "top"), "");
}

}  // namespace
}  // namespace sosie

#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/mix64.h"
#include "core/rational.h"
#include "join/option_texts_test.h"
#include "join/sets/set_run.h"

// Runs on small files, for tests.
namespace sosie {

// Contents of files by their names, which determine the format.
using TestFiles = std::vector<std::pair<std::string, std::string>>;

// Creates a folder that exists until the process ends and makes it the working directory, so that
// the names of files in it are their paths.
inline void work_in_test_folder() {
  struct Folder {
    Folder() {
      std::filesystem::create_directory(path);
      std::filesystem::current_path(path);
    }
    ~Folder() {
      std::filesystem::current_path(path.parent_path());
      std::filesystem::remove_all(path);
    }
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("sosie-test-" + std::to_string(::getpid()));
  };
  static const Folder folder;
}

// A run over files. Texts are divided into words.
class TestSetRun {
 public:
  TestSetRun(VerbBit verb, const TestFiles& own, const TestFiles& against,
             const OptionTexts& given) {
    for (const auto& [name, value] :
         OptionTexts{{"kind", "text"}, {"threads", "2"}, {"shingle", "words:1"}}) {
      set_option(options, name, value);
    }
    for (const auto& [name, value] : given) set_option(options, name, value);
    work_in_test_folder();
    options.inputs = add(own);
    options.against = add(against);
    hooks.on_message = [this](std::string_view text) { messages.emplace_back(text); };
    run = std::make_unique<SetRun>(verb, options, hooks);
  }

  Options options;
  RunHooks hooks;
  std::vector<std::string> messages;
  std::unique_ptr<SetRun> run;

 private:
  std::vector<std::string> add(const TestFiles& files) {
    std::vector<std::string> paths;
    for (const auto& [path, content] : files) {
      std::filesystem::remove(path);  // a run that still exists continues to read the old file
      std::ofstream(path, std::ios::binary) << content;
      paths.push_back(path);
    }
    return paths;
  }
};

// Texts of rows named r0, r1, ..., and OTHER's named o0, o1, ...
struct TestTexts {
  std::vector<std::string> own;
  std::vector<std::string> against = {};
};

inline TestFiles file_of_texts(const std::string& path, char letter,
                               const std::vector<std::string>& texts) {
  std::string lines;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    lines += R"({"id": ")" + (letter + std::to_string(i)) + R"(", "text": ")" + texts[i] + "\"}\n";
  }
  return {{path, lines}};
}

class TextRun : public TestSetRun {
 public:
  TextRun(VerbBit verb, const TestTexts& texts, const OptionTexts& given)
      : TestSetRun(
            verb, file_of_texts("own.jsonl", 'r', texts.own),
            texts.against.empty() ? TestFiles{} : file_of_texts("other.jsonl", 'o', texts.against),
            given) {}
};

// Random texts, many of them near or equal to others and some of them empty. Words have two
// letters.
inline std::vector<std::string> random_texts(std::uint64_t seed, std::size_t rows,
                                             std::uint64_t longest = 8) {
  std::uint64_t next = 0;
  const auto below = [&](std::uint64_t end) { return random64(seed, next++) % end; };
  const auto place = [&](std::size_t end) { return static_cast<std::ptrdiff_t>(below(end)); };
  const auto word = [&] {
    return std::string{static_cast<char>('a' + below(5)), static_cast<char>('a' + below(5))};
  };
  std::vector<std::vector<std::string>> texts;
  while (texts.size() < rows) {
    std::vector<std::string> words;
    if (!texts.empty() && below(4) > 0) words = texts[below(texts.size())];
    const std::uint64_t edits = words.empty() ? below(longest + 1) : below(4);
    for (std::uint64_t i = 0; i < edits; ++i) {
      if (!words.empty() && below(3) == 0) words.erase(words.begin() + place(words.size()));
      words.insert(words.begin() + place(words.size() + 1), word());
    }
    texts.push_back(words);
  }
  std::vector<std::string> joined(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    for (const std::string& each : texts[i]) joined[i] += joined[i].empty() ? each : " " + each;
  }
  return joined;
}

// The overlap of the word sets of two texts, computed from the definition.
inline Overlap overlap_of(const std::string& left, const std::string& right) {
  const auto words = [](const std::string& text) {
    std::set<std::string> set;
    for (std::size_t at = 0; at + 1 < text.size(); at += 3) set.insert(text.substr(at, 2));
    return set;
  };
  const std::set<std::string> a = words(left);
  const std::set<std::string> b = words(right);
  const auto shared = static_cast<std::uint32_t>(
      std::count_if(a.begin(), a.end(), [&](const std::string& word) { return b.contains(word); }));
  const auto sizes = static_cast<std::uint32_t>(a.size() + b.size());
  return {shared, sizes - shared, static_cast<std::uint32_t>(a.size())};
}

// True if two texts are a pair; an empty text is never in a pair.
inline bool are_similar(const std::string& left, const std::string& right,
                        const Rational& threshold) {
  const Overlap overlap = overlap_of(left, right);
  return !left.empty() && !right.empty() &&
         overlap.shared * std::uint64_t{threshold.den} >=
             overlap.united * std::uint64_t{threshold.num};
}

}  // namespace sosie

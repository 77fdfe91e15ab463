// Notes below a summary: damaged inputs, and settings that do not suit the texts.
#include "report/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/count_text.h"
#include "corpus/shown_text.h"
#include "report/input_notes_text.h"
#include "report/summary.h"

namespace sosie {
namespace {

// Shingles shorter than the run's; empty when none would help.
std::string shorter_shingles(std::string_view shingle) {
  constexpr std::array<std::string_view, 6> kShortest = {"words:1", "chars:1", "chars:2",
                                                         "chars:3", "chars:4", "chars:5"};
  if (std::find(kShortest.begin(), kShortest.end(), shingle) != kShortest.end()) return {};
  if (shingle == "words:2") return " or shorter shingles (words:1)";
  return " or shorter shingles (words:2, chars:5)";
}

}  // namespace

const char* token_name(const RunSummary& summary) {
  if (!of_text(summary)) return "elements";
  return summary.shingle.starts_with("chars") ? "characters" : "words";
}

// Texts are as if they were written with 20 characters: where there are not many more shingles than
// a text is long, any two texts share most of them (MMDS 3.2.2).
std::string common_shingles_note(const RunSummary& s) {
  constexpr std::string_view kChars = "chars:";
  constexpr double kCharacters = 20;
  const std::uint64_t with_text =
      s.total.rows - s.total.empty - s.total.skipped - s.total.unmatched;
  if (!of_text(s) || !s.shingle.starts_with(kChars) || with_text < 2) return {};
  const double length = static_cast<double>(s.total.words) / static_cast<double>(with_text);
  const auto size = std::min<std::size_t>(9, std::stoul(s.shingle.substr(kChars.size())));
  double shingles = 1;
  for (std::size_t i = 0; i < size; ++i) shingles *= kCharacters;
  if (shingles >= length) return {};
  return fmt::format(
      "note: texts of {:.0f} characters share most of the about {:.0f} {} shingles in common use, "
      "related or not: unrelated rows may pass for near-duplicates. Try chars:5 or words:2.\n",
      length, shingles, s.shingle);
}

std::string nothing_there_note(const RunSummary& s) {
  if (!s.against.given || s.against.rows > 0) return {};
  if (s.verb == "query") return "note: DATA has no rows, so nothing is found there\n";
  return s.verb == "dedup" ? "note: --against has no rows, so none is removed for it\n"
                           : "note: --against has no rows, so there are no pairs\n";
}

std::string short_text_note(const RunSummary& s) {
  const std::uint64_t with_text =
      s.total.rows - s.total.empty - s.total.skipped - s.total.unmatched;
  if (s.short_limit == 0 || s.total.short_rows == 0 || s.total.short_rows * 10 < with_text)
    return {};
  const bool is_one = s.total.short_rows == 1;
  const std::string rows =
      with_text == 1
          ? "the only row"
          : fmt::format("{} of {} rows", count_text(s.total.short_rows), count_text(with_text));
  return fmt::format(
      "note: {} {} fewer than {} {}: with {} at {}, one replaced word already takes {} below the "
      "threshold. Try a lower --threshold{}.\n",
      rows, is_one ? "has" : "have", s.short_limit, token_name(s), s.shingle, s.threshold,
      is_one ? "it" : "them", shorter_shingles(s.shingle));
}

std::string rank_note(const RunSummary& s) {
  if (s.number_like.empty()) return {};
  return fmt::format(
      "note: --keep compares '{}' as text, after all numbers: a number has a decimal point, and no "
      "commas, blanks or quotes.\n",
      shown_text(s.number_like, 40));
}

std::string damaged_note(const RunSummary& s) {
  if (s.damaged.empty()) return {};
  std::vector<std::string> names;
  for (const DamagedFile& file : s.damaged) {
    names.push_back(fmt::format("{} ({})", file.name, file.reason));
  }
  return fmt::format("{}, read as far as whole rows go: {}\n",
                     plural_text(names.size(), "damaged input", "damaged inputs"),
                     first_paths(names));
}

}  // namespace sosie

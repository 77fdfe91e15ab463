#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

// Parts of the option table that all generated documents share.
namespace sosie::docs {

[[nodiscard]] std::vector<const OptionRow*> options_of(const Verb& verb);

// Headings of the table, in order.
[[nodiscard]] std::vector<std::string_view> groups();

// "stop", "skip", "keep" for "stop|skip|keep"; empty if the option is not a choice.
[[nodiscard]] std::vector<std::string_view> choices_of(const OptionRow& row);

// The distinct words that an option accepts: "cosine", "angle" and "hamming" for "cosine, angle;
// hamming". A word may end with a placeholder for a value: "minkowski:R", "words:1..64". Empty if
// the option accepts numbers, paths or other text.
[[nodiscard]] std::vector<std::string> words_of(const OptionRow& row);

// The words in the form offered by a shell: "minkowski:" for "minkowski:R".
[[nodiscard]] std::vector<std::string> offers_of(const OptionRow& row);

// True if the option's value is a comma-separated list.
[[nodiscard]] bool takes_list(const OptionRow& row) noexcept;

// True if the option's value is a path.
[[nodiscard]] bool takes_path(const OptionRow& row) noexcept;

// "--threshold S", "-o, --output OUT", "--audit[=N]".
[[nodiscard]] std::string signature(const OptionRow& row);

// "one of stop, skip, keep; default: stop; also --as": the text after the one line of help.
[[nodiscard]] std::string details(const OptionRow& row);

// "dedup, pairs"; empty if every verb has the option.
[[nodiscard]] std::string verbs_of(const OptionRow& row);

// The names by which a verb can be called.
[[nodiscard]] std::vector<std::string_view> names_of(const Verb& verb);

struct ExitStatus {
  std::string_view code;
  std::string_view meaning;
};
[[nodiscard]] const std::vector<ExitStatus>& exit_statuses();

// `text` with `mark` before each of the characters in `from`.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view from,
                                  std::string_view mark);

}  // namespace sosie::docs

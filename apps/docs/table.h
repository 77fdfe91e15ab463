#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sosie/options.h"

// Parts of the table of options that all generated documents share.
namespace sosie::docs {

[[nodiscard]] std::vector<const OptionRow*> options_of(const Verb& verb);

// Headings of the table, in its order.
[[nodiscard]] std::vector<std::string_view> groups();

// "stop", "skip", "keep" of "stop|skip|keep"; none when the option is no choice.
[[nodiscard]] std::vector<std::string_view> choices_of(const OptionRow& row);

// The words that an option takes, each once: "cosine", "angle" and "hamming" of "cosine, angle;
// hamming". A word may end in what stands for a value: "minkowski:R", "words:1..64". None when the
// option takes numbers, paths or other text.
[[nodiscard]] std::vector<std::string> words_of(const OptionRow& row);

// The words as a shell offers them: "minkowski:" for "minkowski:R".
[[nodiscard]] std::vector<std::string> offers_of(const OptionRow& row);

// True if the option's value is a list, separated by commas.
[[nodiscard]] bool takes_list(const OptionRow& row) noexcept;

// True if the option's value is a path.
[[nodiscard]] bool takes_path(const OptionRow& row) noexcept;

// "--threshold S", "-o, --output OUT", "--audit[=N]".
[[nodiscard]] std::string signature(const OptionRow& row);

// "one of stop, skip, keep; default: stop; also --as": what stands behind the one line of help.
[[nodiscard]] std::string details(const OptionRow& row);

// "dedup, pairs", or nothing when every verb has the option.
[[nodiscard]] std::string verbs_of(const OptionRow& row);

// The names a verb goes by.
[[nodiscard]] std::vector<std::string_view> names_of(const Verb& verb);

struct ExitStatus {
  std::string_view code;
  std::string_view meaning;
};
[[nodiscard]] const std::vector<ExitStatus>& exit_statuses();

// `text` with each of `from`'s characters preceded by `mark`.
[[nodiscard]] std::string escaped(std::string_view text, std::string_view from,
                                  std::string_view mark);

}  // namespace sosie::docs

// Detects the delimiter, quote and escape of a CSV file from its first rows.
#include "corpus/find_dialect.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "core/line_end.h"
#include "core/utf8.h"
#include "data/table_note.h"
#include "options/formats.h"
#include "options/settings.h"
#include "read/field_paths.h"
#include "read/quote_map.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::array kSeparators = {',', ';', '\t', '|'};
constexpr std::string_view kSeparatorLine = "sep=";

// The sample as read in one dialect.
struct Trial {
  Dialect dialect;
  bool fits = false;
  std::vector<std::string> names;
  std::uint64_t hash = 0;      // hash of the fields of all rows
  std::size_t read_until = 0;  // end of the rows that were read, or of those before one that fails
};

class TrialReader {
 public:
  TrialReader(const Format& format, std::string_view sample, bool is_whole)
      : format_(format), sample_(sample), is_whole_(is_whole) {}

  [[nodiscard]] Trial read_in(Dialect dialect) const {
    Trial trial;
    trial.dialect = dialect;
    trial.fits = true;
    QuoteState state = QuoteState::row_start;
    const char* const end = sample_.data() + sample_.size();
    for (const char* begin = sample_.data(); begin < end && trial.fits;) {
      const char* stop = find_row_end(begin, end, dialect, state);
      if (state != QuoteState::row_start && !is_whole_) break;
      const std::string_view row(begin, static_cast<std::size_t>(stop - begin));
      trial.fits = take(without_line_end(row), begin == sample_.data(), trial);
      if (trial.fits) trial.read_until = static_cast<std::size_t>(stop - sample_.data());
      begin = stop;
    }
    trial.fits = trial.fits && !trial.names.empty();
    if (format_.numbers_columns) number(trial.names);
    return trial;
  }

  // True if there is an escaped quote between these places or, if there is no escape character, a
  // quoted field.
  [[nodiscard]] bool has_marks(std::size_t from, std::size_t to, Dialect dialect) const {
    const std::string_view rows = sample_.substr(from, to - std::min(from, to));
    const auto there = [&](char before) {
      const std::array<char, 2> both = {before, dialect.quote};
      return rows.find(std::string_view(both.data(), both.size())) != std::string_view::npos;
    };
    if (dialect.escape != '\0') return there(dialect.escape);
    return there(dialect.separator) || there('\n') || rows.starts_with(dialect.quote);
  }

 private:
  static void number(std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = std::to_string(i + 1);
  }

  bool take(std::string_view row, bool is_first, Trial& trial) const {
    if (format_.is_blank(row)) return true;
    if (is_first && format_.has_header && is_table_note(row)) return true;
    std::vector<std::string> fields;
    try {
      fields = format_.field_names(row, trial.dialect);
    } catch (const RowError&) {
      return false;
    }
    for (const std::string& field : fields) {
      trial.hash = XXH3_64bits_withSeed(field.data(), field.size(), trial.hash + field.size());
    }
    if (trial.names.empty()) trial.names = fields;
    return fields.size() >= 2 && fields.size() == trial.names.size();
  }

  const Format& format_;
  std::string_view sample_;
  bool is_whole_;
};

bool names_fields(const std::vector<std::string>& names, const DialectRules& rules) {
  const auto is_there = [&](const std::string& field) {
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return may_lie_in(field, name, /*nested=*/false);
    });
  };
  if (!rules.id.empty() && !is_there(rules.id)) return false;
  if (!std::all_of(rules.fields.begin(), rules.fields.end(), is_there)) return false;
  if (rules.column.empty() || is_there(rules.column)) return true;
  const std::vector<std::string> joined = joined_names(rules.column);
  return std::all_of(joined.begin(), joined.end(), is_there);
}

// Dialects that differ only in their separators, tried one after the other.
std::vector<Trial> fitting(const TrialReader& reader, const DialectRules& rules, Dialect marks,
                           bool is_usual, std::vector<std::size_t>& failed_at) {
  std::vector<Trial> found;
  const std::span<const char> all(kSeparators);
  const std::span<const char> separators = rules.separator ? std::span(&*rules.separator, 1) : all;
  failed_at.resize(separators.size());
  for (std::size_t i = 0; i < separators.size(); ++i) {
    if (separators[i] == marks.quote) continue;
    Trial trial = reader.read_in({separators[i], marks.quote, marks.escape});
    const std::size_t least = failed_at[i];
    failed_at[i] = std::max(least, trial.read_until);
    // Unusual quotes and escapes are accepted only if they explain the row that the usual ones
    // cannot.
    const bool explains = is_usual || reader.has_marks(least, trial.read_until, trial.dialect);
    if (trial.fits && explains) found.push_back(std::move(trial));
  }
  return found;
}

std::string shown_names(const Trial& trial) {
  return fmt::format("{} gives {}", shown_mark(trial.dialect.separator),
                     joined_text(trial.names, " | "));
}

const Trial& the_one(const std::string& name, const std::vector<Trial>& found,
                     const DialectRules& rules) {
  std::vector<const Trial*> named;
  for (const Trial& trial : found) {
    if (names_fields(trial.names, rules)) named.push_back(&trial);
  }
  if (named.empty()) return found.front();
  const auto other = std::find_if(named.begin(), named.end(), [&](const Trial* trial) {
    return trial->hash != named.front()->hash;
  });
  if (other == named.end()) return *named.front();
  throw Error(ErrorKind::invalid_option, BadPlace{name},
              fmt::format("can be read in two ways: {}; or {}", shown_names(*named.front()),
                          shown_names(**other)),
              fmt::format("choose with {0} {1} or {0} {2}", rules.delimiter_option,
                          shown_mark(named.front()->dialect.separator),
                          shown_mark((*other)->dialect.separator)));
}

}  // namespace

DialectRules dialect_rules(const Options& options, const std::vector<std::string>& fields) {
  DialectRules rules;
  if (!options.delimiter.empty()) rules.separator = options.delimiter.front();
  if (!options.quote.empty()) rules.quote = options.quote == "none" ? '\0' : options.quote.front();
  if (!options.escape.empty()) rules.escape = options.escape.front();
  const auto add = [&](const std::string& field) {
    if (!field.empty() && field != "*") rules.fields.push_back(field);
  };
  if (options.id != "row" && options.id != "file:row") rules.id = options.id;
  add(options.group_by);
  add(options.element);
  add(options.weight);
  for (const std::string& field : fields) add(field);
  rules.column = options.group_by.empty() ? options.column : "";
  return rules;
}

TitleLines find_titles(const File& file, const Format& format, const ToldOfFile& told) {
  TitleLines titles;
  std::string head(kByteOrderMark.size() + kSeparatorLine.size() + 4, '\0');
  head.resize(file.read_some(0, head.data(), head.size()));
  std::string_view first = head;
  if (first.starts_with(kByteOrderMark)) {
    titles.begin = kByteOrderMark.size();
    first.remove_prefix(titles.begin);
  }
  titles.end = titles.begin;
  std::uint64_t lines = format.skip_lines;
  const std::string_view line = without_line_end(first.substr(0, first.find('\n') + 1));
  const bool names_separator = format.has_dialects && line.size() == kSeparatorLine.size() + 1 &&
                               line.starts_with(kSeparatorLine) && is_separator(line.back());
  if (names_separator) {
    titles.separator = line.back();
    ++lines;
  }
  titles.lines = lines;
  std::string piece;
  while (lines > 0) {
    piece.resize(kBytesOfDialect);
    piece.resize(file.read_some(titles.end, piece.data(), piece.size()));
    if (piece.empty() && titles.end == titles.begin) return titles;
    if (piece.empty()) {
      throw Error(ErrorKind::malformed_input, BadPlace{file.name()},
                  fmt::format("has only {}", plural_text(titles.lines - lines, "line", "lines")),
                  told.option("skip-lines") + " is the number of lines above the header");
    }
    std::size_t at = 0;
    while (lines > 0 && at < piece.size()) {
      const std::size_t line_end = piece.find('\n', at);
      at = std::min(line_end, piece.size() - 1) + 1;
      if (line_end != std::string::npos) --lines;
    }
    titles.end += at;
  }
  return titles;
}

const Format& find_dialect(const std::string& name, const Format& format, std::string_view sample,
                           bool is_whole, const DialectRules& rules) {
  Layout layout = layout_of(format);
  if (!format.has_dialects) return format;
  if (rules.separator) layout.dialect.separator = *rules.separator;
  if (rules.quote) layout.dialect.quote = *rules.quote;
  if (rules.escape) layout.dialect.escape = *rules.escape;
  if (rules.is_known()) return with_layout(format, layout);
  const TrialReader reader(format, sample, is_whole);
  std::vector<std::size_t> failed_at;
  for (const char quote : {'"', '\''}) {
    if (rules.quote && quote == '\'') break;
    for (const char escape : {'\0', '\\'}) {
      if (escape != '\0' && (rules.escape || layout.dialect.quote == '\0')) break;
      const Dialect marks{'\0', rules.quote.value_or(quote), rules.escape.value_or(escape)};
      const std::vector<Trial> found =
          fitting(reader, rules, marks, quote == '"' && escape == '\0', failed_at);
      if (found.empty()) continue;
      layout.dialect = the_one(name, found, rules).dialect;
      return with_layout(format, layout);
    }
  }
  return with_layout(format, layout);
}

std::string shown_mark(char mark) {
  if (mark == '\0') return "none";
  if (mark == '\t') return "tab";
  return mark == '\'' ? "\"'\"" : fmt::format("'{}'", mark);
}

std::string dialect_text(Dialect dialect) {
  std::string text = "delimiter " + shown_mark(dialect.separator);
  if (dialect.quote != '"') text += ", quote " + shown_mark(dialect.quote);
  if (dialect.escape != '\0') text += ", escape " + shown_mark(dialect.escape);
  return text;
}

}  // namespace sosie

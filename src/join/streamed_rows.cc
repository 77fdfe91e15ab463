// Divides a stream into rows as they arrive and passes them on for answers.
#include "join/streamed_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/line_end.h"
#include "core/utf8.h"
#include "corpus/find_dialect.h"
#include "data/table_note.h"
#include "io/file.h"
#include "options/formats.h"
#include "read/field_paths.h"

namespace sosie {

bool StreamHead::add(std::string_view text) {
  text_ += text;
  return !format_->has_columns() || header();
}

void StreamHead::finish() {
  if (text_.find('\n') == std::string::npos) std::replace(text_.begin(), text_.end(), '\r', '\n');
}

// The first line after the titles, once it is complete.
std::optional<std::string_view> StreamHead::header() const {
  std::string_view rest = text_;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  std::uint64_t titles = options_.skip_lines;
  if (titles == 0 && format_->has_dialects && rest.starts_with("sep=")) titles = 1;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const std::string_view line = without_line_end(rest.substr(0, end + 1));
    if (titles == 0 && !format_->is_blank(line) && !is_table_note(line)) return line;
    rest.remove_prefix(end + 1);
    titles -= titles > 0 ? 1 : 0;
  }
  return std::nullopt;
}

RowFeed StreamHead::feed(InputFile& input, Scratch& scratch) const {
  TitleLines titles;
  if (format_->has_columns()) {
    ScratchFile head(scratch);
    head.append(text_);
    Layout layout = layout_of(*format_);
    layout.skip_lines = options_.skip_lines;
    const ToldOfFile told = told_of(options_);
    titles = find_titles(head.section(0, input.name), with_layout(*format_, layout), told);
    DialectRules rules = dialect_rules(options_, joined_names(options_.show));
    rules.delimiter_option = told.option("delimiter");
    if (!rules.separator && titles.separator != '\0') rules.separator = titles.separator;
    input.format = &find_dialect(input.name, *format_, header().value_or(""), true, rules);
  }
  return {input.format->row_ends, input.format->dialect, titles.lines};
}

StreamedRows::StreamedRows(const InputFile& input, const Options& options, const Settings& settings,
                           Scratch& scratch, const RunHooks& hooks)
    : input_(input),
      options_(options),
      settings_(settings),
      limit_(row_limit(settings)),
      scratch_(scratch),
      hooks_(hooks),
      head_(input.format, options) {}

void StreamedRows::read(const StreamedRowSteps& steps) {
  const auto cut = [&](std::string_view text) {
    take(feed_->add(text), steps);
    if (is_too_long(feed_->begun_bytes())) {
      refuse_open_row(limit_, place(feed_->begun_line()), feed_->begun_bytes());
    }
  };
  const auto begin = [&] {
    feed_.emplace(head_.feed(input_, scratch_));
    cut(head_.text());
  };
  const Decoder* by = nullptr;
  const auto add_text = [&](std::string_view text) {
    encoding_ = by->encoding();
    if (feed_) return cut(text);
    if (head_.add(text) || is_too_long(head_.text().size())) begin();
  };
  Decoder decoder(options_.encoding, add_text);
  by = &decoder;
  const auto add = [&](std::string_view bytes) {
    bytes_ += bytes.size();
    decoder.add(bytes);
  };
  const WindowLimit window{settings_.memory_bytes, 1};
  if (input_.path == "-") {
    spool_into(add, hooks_.input_descriptor, input_.name, hooks_.cancel, window);
  } else {
    const File file(input_.path);
    spool_into(add, file.descriptor(), input_.name, hooks_.cancel, window);
  }
  decoder.finish();
  if (!feed_) {
    head_.finish();
    begin();
  }
  take(feed_->finish(), steps);
}

std::string StreamedRows::place(std::uint64_t line) const {
  return fmt::format("{}:{}", input_.name, line);
}

// Processes rows that arrived together.
void StreamedRows::take(std::span<const FedRow> rows, const StreamedRowSteps& steps) {
  std::vector<FedRow> asked;
  const auto answer = [&] {
    if (!asked.empty()) steps.answer(asked);
    asked.clear();
  };
  for (const FedRow& row : rows) {
    if (input_.format->is_blank != nullptr && input_.format->is_blank(row.bytes)) {
      ++blank_lines_;
      continue;
    }
    const bool is_first = row.line == 1 && input_.format->has_header;
    if (is_first && is_table_note(row.bytes)) continue;
    if (!knows_names_) {
      learn_names(row, steps);
      if (input_.format->has_header) continue;
    }
    if (is_too_long(row.bytes.size())) {
      answer();
      steps.flush();
      refuse_long_row(limit_, place(row.line), row.bytes.size());
    }
    asked.push_back(row);
    if (!knows_names_) answer();
  }
  answer();
  steps.flush();
}

// Learns the field names from the header, or from the first row that has any.
void StreamedRows::learn_names(const FedRow& row, const StreamedRowSteps& steps) {
  const Format& format = *input_.format;
  knows_names_ = format.has_columns() || !format.has_fields ||
                 !format.field_names(row.bytes, format.dialect).empty();
  ScratchFile first(scratch_);
  first.append(std::string(row.line - 1, '\n'));  // for the line that messages name
  first.append(row.bytes);
  first.append("\n");
  inputs_ = inputs_of_stream(input_, first.section(0, input_.name), options_, settings_);
  inputs_.encodings = {encoding_};
  steps.named();
}

std::uint64_t trouble_line(const FedRow& row, std::size_t offset) {
  const std::string_view before = row.bytes.substr(0, offset);
  return row.line + static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace sosie

// Waits for the header of a stream and finds its dialect there, so that no row waits for others.
#include "join/stream_head.h"

#include <algorithm>
#include <cstdint>

#include "core/line_end.h"
#include "core/utf8.h"
#include "corpus/find_dialect.h"
#include "data/table_note.h"
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

// The first line that is no title, once it is there wholly.
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
    titles = find_titles(head.section(0, input.name), with_layout(*format_, layout));
    DialectRules rules = dialect_rules(options_, joined_names(options_.show));
    if (!rules.separator && titles.separator != '\0') rules.separator = titles.separator;
    input.format = &find_dialect(input.name, *format_, header().value_or(""), true, rules);
  }
  return {input.format->row_ends, input.format->dialect, titles.lines};
}

}  // namespace sosie

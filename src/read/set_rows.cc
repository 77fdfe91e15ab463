// Writes and parses rows of sets that were put together for --group-by.
#include "read/set_rows.h"

#include <algorithm>

#include "data/padded_bytes.h"

namespace sosie {
namespace {

constexpr char kInteger = 'i';
constexpr char kText = 't';

// Line feeds and backslashes of elements are escaped already (read/element_list.h), so a tab may
// be "\t" as well, and a carriage return, which could be taken for a part of the row's end, "\r".
void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else {
      out += c;
    }
  }
}

bool is_escaped_here(char letter) { return letter == 't' || letter == 'r'; }
char unescaped(char letter) { return letter == 't' ? '\t' : '\r'; }

class SetRowParser final : public RowParser {
 public:
  explicit SetRowParser(const FieldRequest& request) : others_(request.others.size()) {}

  void parse(std::string_view row, Record& out) override {
    const std::size_t id_end = std::min(row.find('\t'), row.size());
    id_.clear();
    read_id(row.substr(1, id_end - 1));
    out.id = id_;
    out.id_is_integer = row.front() == kInteger;
    read_elements(row.substr(id_end));
    out.text = padded_.view();
    out.others.assign(others_, {});
  }

 private:
  void read_id(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        id_ += text[i];
        continue;
      }
      const char escaped = text[++i];
      id_ += escaped == 'n' ? '\n' : is_escaped_here(escaped) ? unescaped(escaped) : '\\';
    }
  }

  // "\tONE\tTWO" becomes "ONE\nTWO\n"; of the escapes only those made here are undone.
  void read_elements(std::string_view text) {
    lines_.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\t') {
        if (i > 0) lines_ += '\n';
      } else if (text[i] != '\\') {
        lines_ += text[i];
      } else if (is_escaped_here(text[++i])) {
        lines_ += unescaped(text[i]);
      } else {
        lines_ += '\\';
        lines_ += text[i];
      }
    }
    if (!text.empty()) lines_ += '\n';
    padded_.assign(lines_);
  }

  std::size_t others_;
  std::string id_;
  std::string lines_;
  PaddedBytes padded_;
};

std::unique_ptr<RowParser> make_set_row_parser(const FieldRequest& request,
                                               std::span<const std::string> /*header*/) {
  return std::make_unique<SetRowParser>(request);
}

std::vector<std::string> set_row_field_names(std::string_view /*row*/, Dialect /*dialect*/) {
  return {"id", "elements"};
}

constexpr Format kFormat{.name = "grouped rows",
                         .extensions = {},
                         .kind = "sets",
                         .has_fields = true,
                         .make_parser = make_set_row_parser,
                         .field_names = set_row_field_names};

}  // namespace

const Format& set_row_format() noexcept { return kFormat; }

std::string begin_set_row(std::string_view id, bool id_is_integer) {
  std::string row(1, id_is_integer ? kInteger : kText);
  for (const char c : id) {
    if (c == '\n') {
      row += "\\n";
    } else if (c == '\\') {
      row += "\\\\";
    } else {
      append_escaped({&c, 1}, row);
    }
  }
  return row;
}

void add_to_set_row(std::string_view lines, std::string& row) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    row += '\t';
    append_escaped(lines.substr(0, end), row);
    lines.remove_prefix(end + 1);
  }
}

}  // namespace sosie

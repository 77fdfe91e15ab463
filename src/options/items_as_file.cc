// Rows that an index on disk passes to runs over files. Each row is one line: a mark that shows
// whether the identifier is unquoted in JSON, "IDENTIFIER<tab>ITEM", and "<tab>NAME<tab>VALUE" for
// each shown field.
#include "options/items_as_file.h"

#include <algorithm>
#include <cstring>

#include "data/padded_bytes.h"
#include "options/formats.h"
#include "read/vector_files.h"

namespace sosie {
namespace {

constexpr char kIntegerId = 'i';
constexpr char kTextId = 't';

// Escapes line ends, tabs and the escape character itself, so that each row is one line.
void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
}

void unescape(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    out += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
  }
}

class IndexItemParser final : public RowParser {
 public:
  explicit IndexItemParser(std::vector<std::string> others)
      : others_(std::move(others)), values_(others_.size()) {}

  void parse(std::string_view row, Record& out) override {
    const std::size_t tab = row.find('\t');
    if (row.empty() || tab == std::string_view::npos)
      throw RowError("this is not a row of an index");
    out.id_is_integer = row.front() == kIntegerId;
    unescape(row.substr(1, tab - 1), id_);
    std::string_view rest = row.substr(tab + 1);
    unescape(take(rest), item_);
    text_.assign(item_);
    out.id = id_;
    out.text = text_.view();
    out.others.assign(others_.size(), FieldValue{});
    while (!rest.empty()) take_field(rest, out);
  }

 private:
  // Removes the text up to the next tab, and the tab, and returns the text.
  static std::string_view take(std::string_view& rest) {
    const std::string_view taken = rest.substr(0, rest.find('\t'));
    rest.remove_prefix(std::min(rest.size(), taken.size() + 1));
    return taken;
  }

  void take_field(std::string_view& rest, Record& out) {
    unescape(take(rest), name_);
    const std::string_view value = take(rest);
    for (std::size_t i = 0; i < others_.size(); ++i) {
      if (others_[i] != name_) continue;
      unescape(value, values_[i]);
      out.others[i] = {FieldValue::Kind::text, 0, values_[i]};
    }
  }

  std::vector<std::string> others_;
  std::vector<std::string> values_;
  std::string name_;
  std::string id_;
  std::string item_;
  PaddedBytes text_;
};

std::unique_ptr<RowParser> make_index_item_parser(const FieldRequest& request,
                                                  std::span<const std::string> /*header*/) {
  return std::make_unique<IndexItemParser>(request.others);
}

std::vector<std::string> index_item_field_names(std::string_view /*row*/, Dialect /*dialect*/) {
  return {"id"};
}

constexpr Format kIndexItems = {.name = "index",
                                .extensions = {},
                                .make_parser = make_index_item_parser,
                                .field_names = index_item_field_names};

}  // namespace

void ItemsAsFile::add(std::uint64_t number, std::string_view id, bool id_is_integer,
                      std::string_view item, const Fields& fields) {
  begins_.push_back(text_.size());
  text_ += id_is_integer ? kIntegerId : kTextId;
  append_escaped(id, text_);
  text_ += '\t';
  append_escaped(item, text_);
  for (const auto& [name, value] : fields) {
    text_ += '\t';
    append_escaped(name, text_);
    text_ += '\t';
    append_escaped(value, text_);
  }
  text_ += '\n';
  numbers_.push_back(number);
}

void ItemsAsFile::add_vector(std::uint64_t number, std::string_view id, bool id_is_integer,
                             std::string_view components) {
  text_ += components;
  numbers_.push_back(number);
  names_.names.emplace_back(id);
  names_.are_integers.push_back(id_is_integer);
  name_bytes_ += sizeof(std::string) + id.size();
}

void ItemsAsFile::end_array(ItemArray::Type type, std::uint64_t dimension) {
  header_ = npy_header(type, numbers_.size(), dimension);
}

std::pair<std::string, bool> ItemsAsFile::id(std::size_t row) const {
  if (is_array()) return {names_.names[row], names_.are_integers[row]};
  const std::size_t begin = begins_[row];
  std::string id;
  unescape(std::string_view(text_).substr(begin + 1, text_.find('\t', begin) - begin - 1), id);
  return {std::move(id), text_[begin] == kIntegerId};
}

void ItemsAsFile::read(std::uint64_t offset, char* out, std::size_t size) const {
  if (offset < header_.size()) {
    const std::size_t some = std::min(size, static_cast<std::size_t>(header_.size() - offset));
    std::memcpy(out, header_.data() + offset, some);
    offset += some;
    out += some;
    size -= some;
  }
  if (size > 0) std::memcpy(out, text_.data() + (offset - header_.size()), size);
}

const Format& ItemsAsFile::format() const noexcept {
  return is_array() ? *format_by_name("npy") : kIndexItems;
}

const ItemsAsFile* index_items_at(const std::string& path, const MemoryFiles& files) noexcept {
  const auto found = files.find(path);
  return found == files.end() ? nullptr : dynamic_cast<const ItemsAsFile*>(found->second.get());
}

const ItemsAsFile* index_items_of(const InputFile& input) noexcept {
  return dynamic_cast<const ItemsAsFile*>(input.memory.get());
}

const Format& format_of_index_items() noexcept { return kIndexItems; }

std::uint64_t number_in_input(const InputFile& input, std::uint64_t row) noexcept {
  const ItemsAsFile* items = index_items_of(input);
  return items == nullptr ? row : items->numbers()[row];
}

}  // namespace sosie

// .txt and .sets: every line is an item, and all of it is text. Documents of a collection are read
// in the same way.
#include <optional>

#include "read/element_list.h"
#include "read/row_parsers.h"

namespace sosie {
namespace {

class TextLineParser final : public RowParser {
 public:
  explicit TextLineParser(const FieldRequest& request) {
    if (request.form == TextForm::elements) elements_.emplace(request.elements);
    for (const std::string& name : request.others) is_text_.push_back(name == request.column);
  }

  void parse(std::string_view row, Record& out) override {
    out.text = elements_ ? elements_->from_words(row) : row;
    out.id = {};
    out.others.clear();
    for (const bool is_text : is_text_) {
      out.others.push_back(is_text ? FieldValue{FieldValue::Kind::text, 0, row} : FieldValue{});
    }
  }

 private:
  std::optional<ElementList> elements_;  // when they are asked for
  std::vector<bool> is_text_;  // by asked field: the text under its column's name, or nothing
};

}  // namespace

std::unique_ptr<RowParser> make_text_row_parser(const FieldRequest& request,
                                                std::span<const std::string> /*header*/) {
  return std::make_unique<TextLineParser>(request);
}

std::vector<std::string> text_line_field_names(std::string_view /*row*/, Dialect /*dialect*/) {
  return {};
}

}  // namespace sosie

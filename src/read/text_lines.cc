#include "read/formats.h"

// .txt: every line is an item and all of it is text. A document of a collection is read alike.
namespace sosie {
namespace {

class TextLineParser final : public RowParser {
 public:
  explicit TextLineParser(std::size_t others) : others_(others) {}

  void parse(std::string_view row, Record& out) override {
    out.text = row;
    out.id = {};
    out.others.assign(others_, FieldValue{});
  }

 private:
  std::size_t others_;
};

}  // namespace

std::unique_ptr<RowParser> make_text_line_parser(const FieldRequest& request,
                                                 std::span<const std::string> /*header*/) {
  return std::make_unique<TextLineParser>(request.others.size());
}

std::vector<std::string> text_line_field_names(std::string_view /*row*/) { return {}; }

}  // namespace sosie

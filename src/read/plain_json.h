#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "data/record.h"

namespace sosie {

// Reads what nearly all rows of JSON lines are in one pass over their bytes: one object, names
// without escapes, the text and the id once copied as they are needed. It takes nothing that
// simdjson would refuse and gives what simdjson gives (the property tests and fuzz/jsonl_fuzz.cc
// compare them); whatever is rarer than that it leaves to simdjson by saying no.
class PlainJsonReader {
 public:
  // True if rows may be read this way: the text for its words or folded characters only, no other
  // fields than the id, no paths.
  [[nodiscard]] static bool can_read(const FieldRequest& request);

  explicit PlainJsonReader(const FieldRequest& request)
      : column_(request.column), id_(request.id), drop_(request.form == TextForm::characters) {}

  // Fills text and id of `out`; false when the row needs a real parser, or is broken, or lacks what
  // is asked for. `row` has kPadding readable bytes behind.
  bool read(std::string_view row, Record& out);

 private:
  bool read_object();
  bool read_value(std::string_view name);
  bool read_text();
  bool copy_odd(const unsigned char* stop, std::size_t& written);
  bool read_id();
  bool skip_value(int depth);
  bool skip_string();
  bool skip_number();
  bool skip_word(std::string_view word);
  template <class Member>
  bool skip_members(char close, const Member& member);
  bool read_name(std::string_view& name);
  void skip_blanks() noexcept;
  bool take(char c) noexcept;

  std::string column_;
  std::string id_;
  bool drop_;
  PaddedBytes text_;
  PaddedBytes skipped_;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  Record* out_ = nullptr;
  bool has_text_ = false;
  bool has_id_ = false;
};

}  // namespace sosie

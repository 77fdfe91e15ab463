#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "data/padded_bytes.h"
#include "data/record.h"

namespace sosie {

// Reads the common form of JSON lines in a single pass over their bytes: one object whose names
// contain no escapes. The text and the id are copied once, directly into the form needed. The
// reader accepts nothing that simdjson would reject and gives the same result (the property tests
// and fuzz/jsonl_fuzz.cc compare the two); for rarer forms it returns false and leaves them to
// simdjson.
class PlainJsonReader {
 public:
  // True if rows can be read in this way: only the words or folded characters of the text are
  // needed, there are no fields other than the id, and there are no paths.
  [[nodiscard]] static bool can_read(const FieldRequest& request);

  explicit PlainJsonReader(const FieldRequest& request)
      : column_(request.column), id_(request.id), drop_(request.form == TextForm::characters) {}

  // Fills in text and id of `out`. Returns false if the row needs a full parser, is broken, or
  // lacks a requested field. `row` must be followed by kPadding readable bytes.
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

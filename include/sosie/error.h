#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace sosie {

// One kind per reaction of the caller. A front end maps it to its own code in one switch: the
// command line's exit status is given beside each kind.
enum class ErrorKind {
  invalid_option,   // 2: an option or value that cannot be meant
  unsupported,      // 2: meant, but not to be had (a format, a method)
  malformed_input,  // 3: a broken row, a missing or wrong field, a duplicate id
  io,               // 4: missing, unreadable, unwritable, disk full
  limit_exceeded,   // 4: a budget or --limit would be broken
  cancelled,        // 130: the caller asked to stop (SIGTERM: 143)
};

// The only exception the library throws on purpose. `what()` is one line naming the thing and the
// place, such as "people.jsonl:17: field 'text' is missing"; `hint()`, if not empty, is one more
// line that says what to do.
class Error : public std::runtime_error {
 public:
  explicit Error(ErrorKind kind, const std::string& message, std::string hint = {})
      : std::runtime_error(message), kind_(kind), hint_(std::move(hint)) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorKind kind_;
  std::string hint_;
};

// An error as a terminal may show it: a line for the message and, if there is one, a line for the
// hint. Ids, field names and paths in them come from the data: what could steer the terminal is
// written out (\x1b), and what is very long is cut.
[[nodiscard]] std::string shown_error(const Error& error);

}  // namespace sosie

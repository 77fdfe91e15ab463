#pragma once

#include <stdexcept>
#include <string>

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

// An option of the table in sosie/options.h that cannot be meant, and the value it was given;
// empty: the value does not matter.
struct RefusedOption {
  std::string name;  // "on-bad-row"
  std::string value = {};
};

// A row or file that cannot be read: "people.jsonl:17", "row 3".
struct BadPlace {
  std::string name;
};

// The only exception the library throws on purpose. `what()` is one line of a command line, naming
// the thing and the place: "people.jsonl:17: field 'text' is missing", "--recall 1: method lsh
// cannot promise every pair". `hint()`, if not empty, is one more line that says what to do. A
// front end with words of its own (Python's keywords) puts a line together from option(), value(),
// place() and reason(); options inside of reason() and hint() are written --name there.
class Error : public std::runtime_error {
 public:
  explicit Error(ErrorKind kind, const std::string& message, std::string hint = {});
  Error(ErrorKind kind, RefusedOption option, std::string reason, std::string hint = {});
  Error(ErrorKind kind, BadPlace place, std::string reason, std::string hint = {});
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error() override;

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  // Empty where the error is not about one.
  [[nodiscard]] const std::string& option() const noexcept { return option_.name; }
  [[nodiscard]] const std::string& value() const noexcept { return option_.value; }
  [[nodiscard]] const std::string& place() const noexcept { return place_; }
  // Reason of the error, without the option or the place.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorKind kind_;
  RefusedOption option_;
  std::string place_;
  std::string reason_;
  std::string hint_;
};

// An error as a terminal may show it: a line for the message and, if there is one, a line for the
// hint. Ids, field names and paths in them come from the data: what could steer the terminal is
// written out (\x1b), and what is very long is cut.
[[nodiscard]] std::string shown_error(const Error& error);

}  // namespace sosie

#pragma once

#include <stdexcept>
#include <string>

namespace sosie {

// One kind per reaction of the caller. A front end maps kinds to its own codes in one switch; each
// line gives the exit status of the command line.
enum class ErrorKind {
  invalid_option,   // 2: an invalid option or value
  unsupported,      // 2: valid, but not available (a format, a method)
  malformed_input,  // 3: a broken row, a missing or wrong field, a duplicate id
  io,               // 4: missing, unreadable, unwritable, disk full
  limit_exceeded,   // 4: a budget or --limit would be exceeded
  cancelled,        // 130: the caller asked to stop (SIGTERM: 143)
};

// An invalid option of the table in sosie/options.h, and its value; empty: the value does not
// matter.
struct RefusedOption {
  std::string name;  // "on-bad-row"
  std::string value = {};
};

// An unreadable row or file: "people.jsonl:17", "row 3".
struct BadPlace {
  std::string name;
};

// The only exception thrown by the library itself. `what()` is one line for a command line that
// names the problem and its place: "people.jsonl:17: field 'text' is missing", "--recall 1: method
// lsh cannot promise every pair". `hint()` is empty or one line with a way out. A front end with
// its own names (Python's keywords) composes a line from option(), value(), place() and reason().
// reason() and hint() refer to options as --name.
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
  // Empty if the error concerns no option.
  [[nodiscard]] const std::string& option() const noexcept { return option_.name; }
  [[nodiscard]] const std::string& value() const noexcept { return option_.value; }
  [[nodiscard]] const std::string& place() const noexcept { return place_; }
  // Reason of the error, without option and place.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorKind kind_;
  RefusedOption option_;
  std::string place_;
  std::string reason_;
  std::string hint_;
};

// An error in a form safe for terminals: a line for the message and, if any, a line for the hint.
// Ids, field names and paths come from the data, so control characters are escaped (\x1b) and very
// long texts are cut.
[[nodiscard]] std::string shown_error(const Error& error);

}  // namespace sosie

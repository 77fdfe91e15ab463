#pragma once

#include <stdexcept>
#include <string>

namespace sosie {

// Kinds of errors, one for each reaction of the caller, so that a front end maps them to its own
// codes in a single switch. Each line begins with the exit status of the command line.
enum class ErrorKind {
  invalid_option,   // 2: an option is unknown, or its value is not allowed
  unsupported,      // 2: valid, but not available (a format, a method)
  malformed_input,  // 3: a broken row, a missing or wrong field, a duplicate id
  io,               // 4: missing, unreadable, unwritable, disk full
  limit_exceeded,   // 4: a budget or --limit would be exceeded
  cancelled,        // 130: the caller asked to stop (SIGTERM: 143)
};

// An option of the table in sosie/options.h that was not accepted, and its value; the value is
// empty if it does not matter.
struct RefusedOption {
  std::string name;  // "on-bad-row"
  std::string value = {};
};

// Where an unreadable row or file is: "people.jsonl:17", "row 3".
struct BadPlace {
  std::string name;
};

// The only exception that the library itself throws. `what()` is a single line that names the
// problem and its place in terms of the command line: "people.jsonl:17: field 'text' is missing",
// "--recall 1: method lsh cannot promise every pair". `hint()` is empty or one line that suggests a
// way out. A front end with its own names for options (Python's keywords) composes a line from
// option(), value(), place() and reason(). reason() and hint() refer to options as --name.
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

// The error in a form that is safe to print on a terminal: a line for the message and, if there is
// a hint, a line for the hint. Ids, field names and paths come from the data, so control characters
// are escaped (\x1b) and very long texts are shortened.
[[nodiscard]] std::string shown_error(const Error& error);

}  // namespace sosie

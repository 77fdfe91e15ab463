// Exception of the library: its special members, compiled once for all files that throw it.
#include "sosie/error.h"

#include <utility>

namespace sosie {

Error::Error(ErrorKind kind, const std::string& message, std::string hint)
    : std::runtime_error(message), kind_(kind), reason_(message), hint_(std::move(hint)) {}

Error::Error(ErrorKind kind, RefusedOption option, std::string reason, std::string hint)
    : std::runtime_error("--" + option.name + (option.value.empty() ? "" : " " + option.value) +
                         ": " + reason),
      kind_(kind),
      option_(std::move(option)),
      reason_(std::move(reason)),
      hint_(std::move(hint)) {}

Error::Error(ErrorKind kind, BadPlace place, std::string reason, std::string hint)
    : std::runtime_error(place.name + ": " + reason),
      kind_(kind),
      place_(std::move(place.name)),
      reason_(std::move(reason)),
      hint_(std::move(hint)) {}

Error::Error(const Error& other) = default;
Error::Error(Error&& other) noexcept = default;
Error& Error::operator=(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

}  // namespace sosie

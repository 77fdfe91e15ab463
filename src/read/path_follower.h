#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sosie {

// The values at the end of a path in a JSON object.
template <class Value>
struct FollowedPath {
  bool is_there = false;      // the path leads to a value
  bool took_members = false;  // all members of a list: any number of `values`; else one
  std::vector<Value> values;  // without nulls; empty: a null, or a list without members
  // A value that the path treats as a list but is not one, and the part of the path that leads
  // there.
  std::optional<Value> no_list;
  std::string_view path_to_no_list;
};

// Follows the paths "a.b" (b in the object a), "a[].b" (b in all members of the list a) and "a[0]"
// (the list's first member). A member whose literal name is the whole path takes precedence,
// followed by the member named by the path's shortest beginning. If several members have the same
// name, the last one counts. A path that leads into a null, or beyond the end of a list, yields a
// null. View must provide is_null(value), is_object(value), is_list(value), member(object, name) ->
// optional of value, and for_each(list, function).
template <class View>
class PathFollower {
 public:
  using Value = typename View::Value;

  explicit PathFollower(std::string_view path) : path_(path) {}

  FollowedPath<Value> follow(const Value& object) {
    found_.is_there = in_object(object, path_) || ends_at_null_;
    return std::move(found_);
  }

 private:
  // `rest`: a name and the path after it.
  bool in_object(const Value& object, std::string_view rest) {
    if (View::is_null(object)) ends_at_null_ = true;
    if (!View::is_object(object)) return false;
    if (const auto member = View::member(object, rest)) return take(*member);
    for (std::size_t end = rest.find_first_of(".["); end != std::string_view::npos;
         end = rest.find_first_of(".[", end + 1)) {
      const auto member = View::member(object, rest.substr(0, end));
      if (member && behind(*member, rest.substr(end))) return true;
    }
    return false;
  }

  // `rest`: nothing, ".b" or "[]".
  bool behind(const Value& value, std::string_view rest) {
    if (rest.empty()) return take(value);
    if (rest.front() == '.') return in_object(value, rest.substr(1));
    return rest.front() == '[' && in_list(value, rest);
  }

  bool in_list(const Value& value, std::string_view rest) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return false;
    const std::string_view number = rest.substr(1, end - 1);
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    if (!number.empty() && (error != std::errc{} || stop != number.data() + number.size())) {
      return false;
    }
    if (View::is_null(value)) ends_at_null_ = true;
    if (!View::is_list(value)) {
      if (View::is_null(value)) return false;
      found_.no_list = value;
      found_.path_to_no_list = path_.substr(0, path_.size() - rest.size());
      return false;
    }
    return number.empty() ? all_of(value, rest.substr(end + 1))
                          : one_of(value, index, rest.substr(end + 1));
  }

  bool all_of(const Value& list, std::string_view rest) {
    const bool before = std::exchange(found_.took_members, true);
    bool any = false;
    bool is_empty = true;
    View::for_each(list, [&](const Value& member) {
      is_empty = false;
      any = behind(member, rest) || any;
    });
    if (any || is_empty) return true;
    found_.took_members = before;
    return false;
  }

  bool one_of(const Value& list, std::size_t index, std::string_view rest) {
    std::optional<Value> found;
    std::size_t at = 0;
    View::for_each(list, [&](const Value& member) {
      if (at++ == index) found = member;
    });
    if (!found) ends_at_null_ = true;
    return found && behind(*found, rest);
  }

  bool take(const Value& value) {
    if (!View::is_null(value)) found_.values.push_back(value);
    return true;
  }

  std::string_view path_;
  FollowedPath<Value> found_;
  bool ends_at_null_ = false;  // on the way
};

}  // namespace sosie

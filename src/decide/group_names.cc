// Names the groups of records that are added to existing groups.
#include "decide/group_names.h"

#include <fmt/format.h>

#include <algorithm>

namespace sosie {
namespace {

// True for a JSON integer: an optional sign and digits, without a leading zero.
bool is_json_integer(std::string_view text) noexcept {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

GroupNames::GroupNames(const ItemIds& older, const RecordColumn& clusters, const ItemIds& fresh,
                       std::uint32_t first_number)
    : fresh_(fresh),
      first_number_(first_number),
      fresh_ids_(fresh.names.begin(), fresh.names.end()),
      has_integers_(older.names.empty() ||
                    std::find(older.are_integers.begin(), older.are_integers.end(), true) !=
                        older.are_integers.end()) {
  for (std::uint32_t value = 1; value < clusters.distinct(); ++value) {
    taken_.emplace(clusters.text(value));
  }
  for (std::size_t row = 0; has_integers_ && row < older.names.size(); ++row) {
    if (!older.are_integers[row] && is_json_integer(older.names[row])) {
      quoted_.insert(older.names[row]);
    }
  }
}

GroupName GroupNames::of_older(std::string_view cluster) const {
  return {std::string(cluster),
          has_integers_ && is_json_integer(cluster) && !quoted_.contains(cluster)};
}

GroupName GroupNames::of_new(std::uint32_t first) {
  const std::string id =
      fresh_.names.empty() ? std::to_string(first_number_ + first) : fresh_.names[first];
  if (taken_.insert(id).second) return {id, fresh_.is_integer(first)};
  std::string name;
  std::uint64_t n = 2;
  do {
    name = fmt::format("{}-{}", id, n++);
  } while (fresh_ids_.contains(name) || !taken_.insert(name).second);
  return {name, false};
}

}  // namespace sosie

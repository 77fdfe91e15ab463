#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>

#include "corpus/item_ids.h"
#include "data/record_table.h"

namespace sosie {

// The id of a group, and whether it is unquoted in JSON.
struct GroupName {
  std::string text;
  bool is_integer = false;
};

// Ids of the groups to which records are added, and unique ids for new groups.
class GroupNames {
 public:
  // `older` and `clusters`: the ids of records in existing groups, and the ids of these groups.
  // `fresh`: the ids of new records, which are numbered from `first_number` if they have none.
  // Keeps references to the arguments.
  GroupNames(const ItemIds& older, const RecordColumn& clusters, const ItemIds& fresh,
             std::uint32_t first_number);

  // The id of an existing group, written like the id of the record after which it is named.
  [[nodiscard]] GroupName of_older(std::string_view cluster) const;
  // The id of a new group: the id of its first record or, if that is the id of another group or new
  // record, the same id with the first suffix among -2, -3, ... that makes it unique.
  [[nodiscard]] GroupName of_new(std::uint32_t first);

 private:
  const ItemIds& fresh_;
  std::uint32_t first_number_;
  std::unordered_set<std::string> taken_;           // ids of groups
  std::unordered_set<std::string_view> fresh_ids_;  // possible ids of later groups
  bool has_integers_;                               // ids of older records include integers
  std::unordered_set<std::string_view> quoted_;     // ids of older records: integers in quotes
};

}  // namespace sosie

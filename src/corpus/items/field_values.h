#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "corpus/items/value_numbers.h"
#include "data/record_table.h"
#include "options/link_rules.h"
#include "represent/fields.h"

namespace sosie {

// Maximum number of members of a list that are compared.
inline constexpr std::size_t kMostMembers = 100;

// Builds a field from columns, one collection after another. Each distinct value of a column is
// cleaned only once.
class FieldValues {
 public:
  // Both arguments must outlive this object. `made` must be empty at first.
  FieldValues(const LinkField& field, RecordColumn& made);

  // Appends the values that records have in these columns, in this form.
  void add(const std::vector<const RecordColumn*>& from, const FieldForm& form);
  // Fills in lists and nicknames; must be called after the last add().
  void finish();

  // Values that are not a number or date although they should be, weighted by the records that have
  // them.
  [[nodiscard]] const UnparsedValues& unparsed() const noexcept { return unparsed_; }
  // Number of values that are lists of more than kMostMembers.
  [[nodiscard]] std::uint64_t cut_lists() const noexcept { return cut_lists_; }

 private:
  // The cleaned values of a column, computed when they are first needed.
  class Cleaned;

  void add_one(Cleaned& part);
  void add_several(std::vector<Cleaned>& parts, std::uint32_t records);
  void add_brief(std::vector<Cleaned>& parts, std::uint32_t records);
  void add_lists(std::vector<Cleaned>& parts, std::uint32_t records);
  [[nodiscard]] std::uint32_t list_of(std::vector<std::string>& members);
  void note_unparsed(const std::string& text);
  void fill_nicknames();

  const LinkField& field_;
  RecordColumn& made_;
  ValueNumbers numbers_;
  UnparsedValues unparsed_;
  std::uint64_t cut_lists_ = 0;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> lists_;  // members by value
};

}  // namespace sosie

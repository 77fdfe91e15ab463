// Reads a person's decisions on pairs of records from files.
#include "decide/link_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cluster/components.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::string_view kLabelWords = "1 (same entity), 0 (different), or nothing";
constexpr std::string_view kDecisionWords = "accepted, rejected, or nothing";

using NumberOfId = std::unordered_map<std::string, std::uint32_t>;

// The records whose ids a table lists.
class RecordsOfTable {
 public:
  RecordsOfTable(const TableReader& table, const NamedRecords& records)
      : table_(table), across_(records.right != nullptr) {
    number(records.left, records.left_rows, 0, left_);
    if (across_) number(*records.right, records.right_rows, records.left_rows, right_);
  }

  [[nodiscard]] std::uint32_t left(const std::string& id) const {
    return record(id, left_, across_ ? "of INPUT " : "");
  }

  [[nodiscard]] RecordPair pair(const std::string& left_id, const std::string& right_id) const {
    const std::uint32_t a = left(left_id);
    const std::uint32_t b = across_ ? record(right_id, right_, "of --against ") : left(right_id);
    if (a == b) {
      throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                  fmt::format("'{}' is paired with itself", left_id),
                  "remove the line: a pair needs two different records");
    }
    return {std::min(a, b), std::max(a, b)};
  }

 private:
  static void number(const ItemIds& ids, std::uint32_t rows, std::uint32_t first,
                     NumberOfId& numbers) {
    numbers.reserve(rows);
    for (std::uint32_t row = 0; row < rows; ++row) numbers.emplace(ids.name_of(row), first + row);
  }

  [[nodiscard]] std::uint32_t record(const std::string& id, const NumberOfId& numbers,
                                     std::string_view whose) const {
    const auto found = numbers.find(id);
    if (found != numbers.end()) return found->second;
    throw Error(ErrorKind::malformed_input, BadPlace{table_.place()},
                fmt::format("no record {}has the id '{}'", whose, id),
                "use the ids that link writes; --id FIELD selects their field");
  }

  const TableReader& table_;
  bool across_;
  NumberOfId left_;
  NumberOfId right_;
};

// True if a cell has no value: it is empty, or it is JSON's `null`.
bool is_nothing(std::string_view cell) noexcept { return cell.empty() || cell == "null"; }

std::string_view without_blanks(std::string_view cell) noexcept {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t begin = cell.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return cell.substr(begin, cell.find_last_not_of(kBlanks) + 1 - begin);
}

// Parses a cell as yes, no or nothing; rejects other words. In a numeric column with gaps, pandas
// writes 1 as 1.0.
std::optional<bool> judgement_of(const TableReader& table, const std::string& column,
                                 const std::string& written) {
  const std::string_view cell = without_blanks(written);
  if (is_nothing(cell)) return std::nullopt;
  for (const char* yes : {"1", "1.0", "true", "True", "TRUE", "accepted"}) {
    if (cell == yes) return true;
  }
  for (const char* no : {"0", "0.0", "false", "False", "FALSE", "rejected"}) {
    if (cell == no) return false;
  }
  throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
              fmt::format("{} is '{}', not {}", column, written,
                          column == "label" ? kLabelWords : kDecisionWords));
}

// Judged pairs in order, each with the line that first lists it.
class JudgedPairs {
 public:
  void add(const TableReader& table, const RecordPair& pair, bool is_match) {
    const std::uint64_t key = std::uint64_t{pair.left} << 32 | pair.right;
    const auto [at, fresh] = first_.try_emplace(key, First{is_match, table.place()});
    if (fresh) {
      pairs_.push_back({pair, is_match});
    } else if (at->second.is_match != is_match) {
      throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
                  fmt::format("contradicts {} about this pair", at->second.place),
                  "keep one of the two lines");
    }
  }

  [[nodiscard]] std::vector<Judgement> sorted() && {
    std::sort(pairs_.begin(), pairs_.end(),
              [](const Judgement& a, const Judgement& b) { return a.pair < b.pair; });
    return std::move(pairs_);
  }

 private:
  struct First {
    bool is_match;
    std::string place;
  };
  std::vector<Judgement> pairs_;
  std::unordered_map<std::uint64_t, First> first_;
};

std::uint64_t pairs_against_chains(const std::vector<Judgement>& pairs, std::uint32_t records) {
  Components joined(records);
  for (const Judgement& known : pairs) {
    if (known.is_match) joined.link(known.pair.left, known.pair.right);
  }
  return static_cast<std::uint64_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const Judgement& known) {
        return !known.is_match &&
               joined.root_of(known.pair.left) == joined.root_of(known.pair.right);
      }));
}

void check_rows(std::uint64_t rows, const std::atomic<bool>* cancel) {
  constexpr std::uint64_t kRowsAtOnce = 4096;
  if (rows % kRowsAtOnce == 0 && cancel != nullptr && *cancel)
    throw Error(ErrorKind::cancelled, "");
}

LinkDecisions pair_decisions(TableReader& table, const NamedRecords& records,
                             const std::atomic<bool>* cancel) {
  const RecordsOfTable of_id(table, records);
  const std::size_t left = table.column("left");
  const std::size_t right = table.column("right");
  const std::string judging = table.has_column("decision") ? "decision" : "label";
  const bool is_judged = table.has_column(judging);
  const std::size_t judged = is_judged ? table.column(judging) : left;
  LinkDecisions decisions;
  JudgedPairs pairs;
  std::uint64_t rows = 0;
  while (table.next()) {
    check_rows(++rows, cancel);
    const TableCells& cells = table.cells();
    const auto is_match =
        is_judged ? judgement_of(table, judging, cells[judged]) : std::optional<bool>(true);
    if (is_match) {
      pairs.add(table, of_id.pair(cells[left], cells[right]), *is_match);
    } else {
      ++decisions.open;
    }
  }
  decisions.known.pairs = std::move(pairs).sorted();
  for (const Judgement& known : decisions.known.pairs) {
    ++(known.is_match ? decisions.accepted : decisions.rejected);
  }
  return decisions;
}

LinkDecisions group_decisions(TableReader& table, const NamedRecords& records,
                              const std::atomic<bool>* cancel) {
  const RecordsOfTable of_id(table, records);
  const std::size_t id = table.column("id");
  const std::size_t cluster_id = table.column("cluster_id");
  const bool lists_decided = table.has_column("kept");  // single records are also decisions
  LinkDecisions decisions;
  std::vector<std::uint32_t>& groups = decisions.known.groups;
  groups.resize(records.left_rows);
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> sizes = {0};
  std::uint64_t rows = 0;
  while (table.next()) {
    check_rows(++rows, cancel);
    const std::uint32_t record = of_id.left(table.cells()[id]);
    if (groups[record] != 0) {
      throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
                  fmt::format("id '{}' is listed twice", table.cells()[id]),
                  "keep one of its lines: a record belongs to only one group");
    }
    if (is_nothing(table.cells()[cluster_id])) {
      ++decisions.open;
      continue;
    }
    const auto next = static_cast<std::uint32_t>(sizes.size());
    const auto [at, fresh] = numbers.try_emplace(table.cells()[cluster_id], next);
    if (fresh) sizes.push_back(0);
    groups[record] = at->second;
    ++sizes[at->second];
  }
  for (std::uint32_t& group : groups) {
    if (group == 0) continue;
    const bool is_single = sizes[group] == 1;
    if (is_single && !lists_decided) {
      group = 0;
    } else {
      ++(is_single ? decisions.rejected : decisions.accepted);
    }
  }
  if (decisions.accepted + decisions.rejected == 0) groups.clear();
  return decisions;
}

}  // namespace

LinkLabels read_labels(TableReader& table, const NamedRecords& records,
                       const std::atomic<bool>* cancel) {
  const RecordsOfTable of_id(table, records);
  const std::size_t left = table.column("left");
  const std::size_t right = table.column("right");
  const std::size_t label = table.column("label");
  LinkLabels labels;
  JudgedPairs pairs;
  std::uint64_t rows = 0;
  while (table.next()) {
    check_rows(++rows, cancel);
    const TableCells& cells = table.cells();
    const RecordPair pair = of_id.pair(cells[left], cells[right]);
    if (const auto is_match = judgement_of(table, "label", cells[label])) {
      pairs.add(table, pair, *is_match);
    } else {
      ++labels.open;
    }
  }
  labels.pairs = std::move(pairs).sorted();
  for (const Judgement& known : labels.pairs) labels.matches += known.is_match ? 1 : 0;
  labels.against_chains =
      pairs_against_chains(labels.pairs, records.left_rows + records.right_rows);
  return labels;
}

LinkDecisions read_link_decisions(TableReader& table, const NamedRecords& records,
                                  const std::atomic<bool>* cancel) {
  const auto has = [&](std::string_view name) { return table.has_column(name); };
  if (has("left") && has("right")) return pair_decisions(table, records, cancel);
  if (!has("id") || !has("cluster_id")) {
    throw Error(
        ErrorKind::malformed_input, BadPlace{table.place()},
        "neither decisions on pairs nor on groups",
        "pairs need the columns left, right, and decision or label; groups need id and cluster_id");
  }
  if (records.right != nullptr) {
    throw Error(ErrorKind::malformed_input, BadPlace{table.place()},
                "contains groups, but decisions about two collections are on pairs",
                "give pairs, with columns left, right and decision (accepted or rejected)");
  }
  return group_decisions(table, records, cancel);
}

std::uint64_t add_labels(const LinkLabels& labels, Judgements& decided) {
  std::uint64_t against = 0;
  std::vector<Judgement> added;
  for (const Judgement& label : labels.pairs) {
    const auto verdict = decided.verdict(label.pair);
    if (!verdict) added.push_back(label);
    against += verdict && *verdict != label.is_match ? 1 : 0;
  }
  const auto middle = static_cast<std::ptrdiff_t>(decided.pairs.size());
  decided.pairs.insert(decided.pairs.end(), added.begin(), added.end());
  std::inplace_merge(decided.pairs.begin(), decided.pairs.begin() + middle, decided.pairs.end(),
                     [](const Judgement& a, const Judgement& b) { return a.pair < b.pair; });
  return against;
}

}  // namespace sosie

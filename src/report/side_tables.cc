// Writes the tables of removed rows and of groups.
#include "report/side_tables.h"

#include "core/memory_budget.h"
#include "io/external_sort.h"
#include "options/items_as_file.h"

namespace sosie {
namespace {

constexpr std::size_t kNamedRows = 16384;  // rows whose names are looked up together

// A row and the survivor of its group.
struct Member {
  RowNumber survivor;
  RowNumber row;
};

struct MemberNames {
  std::vector<RowNames::Entry> rows;
  std::vector<RowNames::Entry> survivors;
};

MemberNames look_up(RowNames& names, std::span<const Member> members) {
  std::vector<RowNumber> rows;
  std::vector<RowNumber> survivors;
  for (const Member& member : members) {
    rows.push_back(member.row);
    survivors.push_back(member.survivor == kNoRowNumber ? member.row : member.survivor);
  }
  return {names.look_up(rows), names.look_up(survivors)};
}

IdText id_of(const RowNames::Entry& entry) { return {entry.id, entry.id_is_integer}; }

// Collects members and passes them on in batches.
class MemberBatch {
 public:
  using Write = std::function<void(std::span<const Member>)>;
  explicit MemberBatch(Write write) : write_(std::move(write)) {}

  void add(const Member& member) {
    members_.push_back(member);
    if (members_.size() == kNamedRows) flush();
  }
  void flush() {
    if (!members_.empty()) write_(members_);
    members_.clear();
  }

 private:
  Write write_;
  std::vector<Member> members_;
};

// The file of a row, and the row's number in it.
class Places {
 public:
  explicit Places(const SideTableSource& source) : inputs_(source.inputs), rows_(source.corpus) {}

  struct Place {
    std::string_view file;
    std::uint64_t row;
  };
  [[nodiscard]] Place of(RowNumber row) const {
    const std::uint32_t file = rows_.file_of(row);
    const InputFile& input = inputs_.list[file];
    const RowNumber number = rows_.number_of(row, file);
    return {input.name, number_in_input(input, number)};
  }

 private:
  const Inputs& inputs_;
  FileRows rows_;
};

}  // namespace

std::vector<std::string> removed_columns(const std::string& value_name, bool has_passage) {
  std::vector<std::string> columns = {"id",   "kept_id", value_name,  "exact",   "cluster_id",
                                      "file", "row",     "kept_file", "kept_row"};
  if (has_passage) columns.emplace_back("passage");
  return columns;
}

void write_removed(const SideTableSource& source, const Decisions& decisions, RowNames& names,
                   TableWriter& out) {
  const Places places(source);
  MemberBatch batch([&](std::span<const Member> members) {
    const MemberNames ids = look_up(names, members);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const RowNumber row = members[i].row;
      const Decision& decision = decisions.of(row);
      const auto [file, number] = places.of(row);
      if (decision.survivor == kNoRowNumber) {
        out.row({id_of(ids.rows[i]), "", source.facts.cell(0), false, "", file, number, "", ""});
        continue;
      }
      const IdText kept_id = id_of(ids.survivors[i]);
      const auto [kept_file, kept_number] = places.of(decision.survivor);
      std::vector<Cell> cells = {id_of(ids.rows[i]),
                                 kept_id,
                                 source.facts.cell(source.value(row, decision)),
                                 decision.identical,
                                 kept_id,
                                 file,
                                 number,
                                 kept_file,
                                 kept_number};
      const std::string passage =
          source.passage ? source.passage(row, decision.survivor) : std::string();
      if (source.passage) cells.emplace_back(passage);
      out.row(cells);
    }
  });
  for (RowNumber row = source.corpus.first_own_row; row < source.corpus.rows; ++row) {
    if (decisions.is_removed(row)) batch.add({decisions.of(row).survivor, row});
  }
  batch.flush();
}

void export_decisions(const SideTableSource& source, const Decisions& decisions,
                      RowDecisions& out) {
  const RowNumber first = source.corpus.first_own_row;
  for (RowNumber row = first; row < source.corpus.rows; ++row) {
    const Decision decision = decisions.of(row);
    const RowNumber survivor = decision.survivor;
    const bool left_out = source.corpus.state(row) == RowState::skipped;
    out.survivor.push_back(left_out                   ? RowDecisions::kLeftOut
                           : survivor == kNoRowNumber ? RowDecisions::kNobody
                           : survivor < first         ? survivor | RowDecisions::kAgainst
                                                      : survivor - first);
    out.similarity.push_back(source.value(row, decision));
    out.identical.push_back(decision.identical);
  }
}

const std::vector<std::string>& cluster_columns() {
  static const std::vector<std::string> columns = {"id", "cluster_id", "kept", "size"};
  return columns;
}

void write_clusters(const SideTableSource& source, const Decisions& decisions, RowNames& names,
                    TableWriter& out) {
  MemberBatch batch([&](std::span<const Member> members) {
    const MemberNames ids = look_up(names, members);
    for (std::size_t i = 0; i < members.size(); ++i) {
      out.row({id_of(ids.rows[i]), id_of(ids.survivors[i]), members[i].row == members[i].survivor,
               decisions.group_rows(members[i].survivor)});
    }
  });
  ExternalSort<KeyedRow> by_survivor(source.scratch, MemoryBudget{source.memory_bytes}.sorts());
  for (RowNumber row = source.corpus.first_own_row; row < source.corpus.rows; ++row) {
    const RowNumber survivor = decisions.of(row).survivor;
    if (decisions.group_rows(survivor) >= 2) by_survivor.add({survivor, row});
  }
  by_survivor.drain([&](const KeyedRow& member) { batch.add({member.key, member.row}); });
  batch.flush();
}

}  // namespace sosie

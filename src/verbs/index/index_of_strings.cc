// An index of strings.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "corpus/items/string_items.h"
#include "data/columns.h"
#include "data/kinds.h"
#include "join/scored_pairs.h"
#include "join/strings/string_searcher.h"
#include "options/string_settings.h"
#include "verbs/index/in_memory_index.h"

namespace sosie {
namespace {

// Strings as code points, independent of any other strings.
struct CodePointRows {
  std::size_t rows = 0;
  std::vector<std::uint64_t> starts = {0};  // start of each string, then the end
  std::vector<char32_t> points;
  std::vector<bool> is_null;  // rows that match nothing

  [[nodiscard]] std::span<const char32_t> row(std::size_t i) const noexcept {
    return std::span(points).subspan(starts[i], starts[i + 1] - starts[i]);
  }
  void add(std::span<const char32_t> code_points, bool is_null_row);
};

// Strings that are laid out once, with their own symbols, so that other strings can be looked up.
class IndexedStrings {
 public:
  // Copies the rows.
  IndexedStrings(const CodePointRows& rows, const StringSearch& search);
  IndexedStrings(const IndexedStrings&) = delete;
  IndexedStrings& operator=(const IndexedStrings&) = delete;

  // StringSearcher::find() for rows that may be null; a null finds nothing and is never found.
  std::uint64_t find(const CodePointRows& asked, std::uint64_t most, ThreadPool& pool,
                     std::vector<NearPairs>& found) const;

 private:
  StringColumn column_of(const CodePointRows& rows);

  SymbolTable symbols_;
  std::vector<std::size_t> row_of_;  // by string; nulls are left out
  StringColumn column_;
  StringSearcher searched_;
};

void CodePointRows::add(std::span<const char32_t> code_points, bool is_null_row) {
  points.insert(points.end(), code_points.begin(), code_points.end());
  starts.push_back(points.size());
  is_null.push_back(is_null_row);
  ++rows;
}

// The strings as they were read.
CodePointRows code_point_rows(const StringItems& items) {
  CodePointRows out;
  auto next_null = items.left_out.begin();
  for (std::size_t row = 0; row < items.column.rows(); ++row) {
    const bool is_null = next_null != items.left_out.end() && *next_null == row;
    if (is_null) ++next_null;
    out.add(code_points_of(items.column, items.symbols, row), is_null);
  }
  return out;
}

IndexedStrings::IndexedStrings(const CodePointRows& rows, const StringSearch& search)
    : column_(column_of(rows)),
      searched_(column_, {0, static_cast<RowId>(column_.rows())}, search) {}

StringColumn IndexedStrings::column_of(const CodePointRows& rows) {
  StringColumn column;
  column.alphabet = symbols_.size();
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (rows.is_null[row]) continue;
    append_string(rows.row(row), symbols_, column);
    row_of_.push_back(row);
  }
  return column;
}

std::uint64_t IndexedStrings::find(const CodePointRows& asked, std::uint64_t most, ThreadPool& pool,
                                   std::vector<NearPairs>& found) const {
  // Code points that do not occur in these strings share a single symbol.
  StringColumn column;
  column.width = column_.width;
  column.alphabet = column_.alphabet;
  for (std::size_t row = 0; row < asked.rows; ++row) {
    append_known(asked.row(row), symbols_, column);
  }
  const std::uint64_t checked = searched_.find(column, most, pool, found);
  for (std::size_t row = 0; row < asked.rows; ++row) {
    if (asked.is_null[row]) found[row].clear();
    for (NearPair& pair : found[row]) pair.right = static_cast<RowId>(row_of_[pair.right]);
  }
  return checked;
}

constexpr char32_t kCodePoints = 0x110000;  // each is below

// Operations of an index on strings.
class StringKind : public OneTypeKind<CodePointRows, IndexedStrings> {
 public:
  using Column = CodePointRows;
  using Settings = StringSettings;
  using Searched = IndexedStrings;

  explicit StringKind(const Options& options)
      : options_(options_of_index(options)), settings_(resolve_strings(options_, kQuery)) {}

  [[nodiscard]] const StringSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] bool is_similarity() const noexcept {
    return settings_.edits.by_similarity && !settings_.nearest;
  }

  [[nodiscard]] RowsRead<CodePointRows> read(const IndexRows& rows, ThreadPool& pool,
                                             const RunHooks& hooks) const {
    if (rows.array) refuse_array(kStringItems);
    const Options options = options_to_read(options_, rows);
    return {code_point_rows(
        read_strings({options, settings_.run, pool, hooks}, settings_.form, rows.paths))};
  }

  // Strings may have any length.
  [[nodiscard]] static std::string length_of(const CodePointRows&) { return {}; }
  [[nodiscard]] static bool have_one_length(const CodePointRows&, const CodePointRows&) {
    return true;
  }

  [[nodiscard]] StringSettings settings_for(const CodePointRows&, ThreadPool&) const {
    return settings_;
  }
  [[nodiscard]] static std::unique_ptr<IndexedStrings> search_in(const CodePointRows& rows,
                                                                 const StringSettings& settings,
                                                                 ThreadPool&) {
    return std::make_unique<IndexedStrings>(
        rows, StringSearch{
                  .bound = settings.edits, .nearest = settings.nearest, .brute = settings.brute});
  }

  static void append(CodePointRows& to, const CodePointRows& from, std::size_t row) {
    to.add(from.row(row), from.is_null[row]);
  }

  static void save(const CodePointRows& rows, PackedWriter& out) {
    out.column(std::span<const std::uint64_t>(rows.starts));
    out.column(std::span<const char32_t>(rows.points));
    for (const bool is_null : rows.is_null) out.value(std::uint8_t(is_null));
  }
  [[nodiscard]] static CodePointRows load(std::uint64_t rows, PackedReader& in) {
    CodePointRows out;
    out.rows = rows;
    out.starts = in.column<std::uint64_t>(rows + 1);
    if (out.starts.front() != 0 || !std::is_sorted(out.starts.begin(), out.starts.end())) {
      in.refuse();
    }
    out.points = in.column<char32_t>(out.starts.back());
    const bool are_points = std::all_of(out.points.begin(), out.points.end(),
                                        [](char32_t point) { return point < kCodePoints; });
    if (!are_points) in.refuse();
    for (const auto is_null : in.column<std::uint8_t>(rows)) {
      out.is_null.push_back(is_null != 0 || is_blank(out.row(out.is_null.size())));
    }
    return out;
  }

 private:
  Options options_;
  StringSettings settings_;
};

}  // namespace

std::unique_ptr<IndexState> index_of_strings(const Options& options) {
  return std::make_unique<InMemoryIndex<StringKind>>(options);
}

}  // namespace sosie

// An index of strings.
#include <algorithm>

#include "join/strings/indexed_strings.h"
#include "options/string_settings.h"
#include "verbs/index/in_memory_index.h"

namespace sosie {
namespace {

constexpr char32_t kCodePoints = 0x110000;  // each is below

// Operations of the index on strings.
class StringKind : public OneTypeKind<CodePointRows, IndexedStrings> {
 public:
  using Column = CodePointRows;
  using Settings = StringSettings;
  using Searched = IndexedStrings;

  explicit StringKind(const Options& options)
      : options_(options_of_index(options)), settings_(resolve_strings(options_, "query")) {}

  [[nodiscard]] const StringSettings& settings() const noexcept { return settings_; }
  [[nodiscard]] bool is_similarity() const noexcept {
    return settings_.edits.by_similarity && !settings_.nearest;
  }

  [[nodiscard]] RowsRead<CodePointRows> read(const IndexRows& rows, ThreadPool& pool,
                                             const RunHooks& hooks) const {
    if (rows.array) refuse_array("strings");
    const Options options = options_to_read(options_, rows);
    return {code_point_rows(
        read_strings({options, settings_.run, pool, hooks}, settings_.form, rows.paths))};
  }

  // Strings have any length.
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

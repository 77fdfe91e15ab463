// Writes the folder of `dedup --save`: members of groups, places of rows, and the overview.
#include "report/save_run.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "core/json_writer.h"
#include "core/memory_budget.h"
#include "data/kinds.h"
#include "io/external_sort.h"
#include "options/bounds.h"
#include "options/items_as_file.h"
#include "report/run_overview.h"
#include "sosie/error.h"
#include "store/index_options.h"

namespace sosie {
namespace {

// Identifies each component by the id and the place of the kept row.
void add_components(const std::vector<ReportCluster>& clusters, JsonWriter& json) {
  json.begin_array("components");
  for (const ReportCluster& cluster : clusters) {
    if (!cluster.component) continue;
    json.object({{"id", cluster.survivor.id},
                 {"file", cluster.survivor.file},
                 {"row", cluster.survivor.row},
                 {"rows", cluster.component->rows},
                 {"kept", cluster.component->survivors}});
  }
  json.end_array();
}

constexpr std::size_t kNamesAtOnce = 16384;  // rows whose names are looked up together
constexpr std::uint64_t kToldRows = 256;     // maximum rows between two looks at the clock

// Options for reading and showing rows. Other options name files or have no effect.
constexpr auto kReadingOptions = run_reading_options();

// A row, and the kept row of its group.
struct GroupMember {
  RowNumber group;
  RowNumber row;
};

class RunSaver {
 public:
  RunSaver(const SavedRunSource& source, RunFolderWriter& out)
      : source_(source),
        run_(source.report),
        out_(out),
        file_rows_(run_.corpus),
        sources_(source_names(run_.inputs.list, run_.inputs.first_own_file)) {}

  [[nodiscard]] std::vector<std::string> sources() const { return sources_.names; }

  void write() {
    ExternalSort<KeyedRow> sorted(source_.scratch, MemoryBudget{source_.memory_bytes}.sorts());
    const Corpus& corpus = run_.corpus;
    const auto put = [&](RowNumber group, RowNumber row) {
      sorted.add({group, row});
      ++all_;
    };
    // Rows with equal keys stay in the order in which they were added, so kept rows come first.
    for (RowNumber row = 0; row < corpus.rows; ++row) {
      if (run_.decisions.group_rows(row) >= 2) put(row, row);
    }
    for (RowNumber row = corpus.first_own_row; row < corpus.rows; ++row) {
      const RowNumber survivor = run_.decisions.of(row).survivor;
      if (survivor == row) continue;
      put(survivor == kNoRowNumber ? row : survivor, row);
    }
    tell();
    sorted.drain([&](const KeyedRow& each) {
      batch_.push_back({each.key, each.row});
      if (batch_.size() == kNamesAtOnce) flush();
    });
    flush();
    end_group();
  }

 private:
  void flush() {
    std::vector<RowNumber> rows(batch_.size());
    std::transform(batch_.begin(), batch_.end(), rows.begin(),
                   [](const GroupMember& member) { return member.row; });
    const std::vector<RowNames::Entry> names = run_.names.look_up(rows);
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      add(batch_[i], names[i]);
      if (++saved_ % kToldRows == 0) tell();
    }
    batch_.clear();
  }

  void tell() const {
    if (source_.hooks.on_progress) source_.hooks.on_progress({"saving", saved_, all_});
  }

  void add(const GroupMember& member, const RowNames::Entry& name) {
    if (member.group != group_) {
      end_group();
      group_ = member.group;
      out_.begin_group(source_.line(member.group));
    }
    const RowNumber row = member.row;
    const Decision decision = run_.decisions.of(row);
    const bool own = row >= run_.corpus.first_own_row;
    const bool removed = own && decision.survivor != row;
    const bool by_word = removed && decision.survivor == kNoRowNumber;
    const RowLocator place = run_.corpus.locator(row);
    RunMember out;
    out.offset = place.offset;
    out.length = place.length;
    out.file = place.file;
    out.set_row(
        number_in_input(run_.inputs.list[place.file], file_rows_.number_of(row, place.file)));
    out.hash = hash_of(place);
    out.value = by_word ? 0 : removed ? run_.value(row, decision) : same_value();
    out.flags = (removed ? 0U : RunMember::kept) | (own ? 0U : RunMember::of_against) |
                (removed && decision.identical ? RunMember::identical : 0U) |
                (name.id_is_integer ? RunMember::integer_id : 0U);
    if (removed && !by_word && is_weaker(out.value)) weakest_ = out.value;
    out_.add({out, name.id, sources_.of_file[place.file]});
  }

  void end_group() {
    if (group_ != kNoRowNumber) out_.end_group(weakest_.value_or(same_value()));
    weakest_.reset();
  }

  [[nodiscard]] double same_value() const { return run_.is_similarity ? 1 : 0; }
  [[nodiscard]] bool is_weaker(double value) const {
    return !weakest_ || run_.is_weaker(value, *weakest_);
  }

  [[nodiscard]] std::uint64_t hash_of(const RowLocator& place) {
    bytes_.resize(place.length);
    run_.inputs.files[place.file].read_at(place.offset, bytes_.data(), bytes_.size());
    return XXH3_64bits(bytes_.data(), bytes_.size());
  }

  const SavedRunSource& source_;
  const ReportSource& run_;
  RunFolderWriter& out_;
  FileRows file_rows_;
  SourceNames sources_;
  std::vector<GroupMember> batch_;
  RowNumber group_ = kNoRowNumber;
  std::optional<double> weakest_;
  std::uint64_t saved_ = 0;  // rows
  std::uint64_t all_ = 0;
  std::string bytes_;
};

RunFacts facts_of_run(const Options& options, const ReportSource& source) {
  const Inputs& inputs = source.inputs;
  RunFacts facts = reading_facts(options, inputs.list, inputs.first_own_file);
  facts.kind = kind_name(options.kind);
  facts.id_field = inputs.fields.id;
  facts.against_id = inputs.against_id;
  facts.rank_fields = inputs.fields.others;
  facts.value_name = source.is_similarity ? "similarity" : "distance";
  facts.is_similarity = source.is_similarity;
  facts.is_chained = options.clustering == "components";
  return facts;
}

}  // namespace

std::string saved_folder(const Options& options) { return given_value(options, "save"); }

std::unique_ptr<RunFolderWriter> open_saved_run(const Options& options,
                                                const std::atomic<bool>* cancel, bool of_links) {
  const std::string folder = saved_folder(options);
  if (folder.empty()) return nullptr;
  const OverwrittenRun which = options.overwrite_all ? OverwrittenRun::any
                               : options.overwrite   ? OverwrittenRun::undecided
                                                     : OverwrittenRun::none;
  return std::make_unique<RunFolderWriter>(folder, which, cancel, of_links);
}

void check_saved_inputs(const Options& options, const Inputs& inputs) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::unsupported, RefusedOption{"save"},
                what + ", but a saved run rereads rows from their files",
                "write the rows to a file first");
  };
  constexpr const char* kNoFile = "a table in memory has no file";
  if (options.table || options.against_table) refuse(kNoFile);
  if (inputs.grouped) refuse("it must reread the input files, but --group-by sets have none");
  for (const InputFile& file : inputs.list) {
    if (file.path == "-") refuse(file.name + " cannot be read again after the run");
    if (file.memory && index_items_of(file) == nullptr) refuse(kNoFile);
  }
}

RunFacts reading_facts(const Options& options, std::vector<InputFile> files,
                       std::size_t first_own_file) {
  const Options of_other = options_of_other(options);
  RunFacts facts;
  facts.files = std::move(files);
  for (std::size_t i = 0; i < facts.files.size(); ++i) {
    InputFile& file = facts.files[i];
    file.path = std::filesystem::absolute(file.path).lexically_normal().string();
    if (index_items_of(file) != nullptr) file.format = &format_of_index_items();
    const Options& asked = i < first_own_file ? of_other : options;
    if (file.told.column == asked.column) file.told.column.clear();
  }
  facts.first_own_file = static_cast<std::uint32_t>(first_own_file);
  for (const auto& [name, value] : options.given) {
    const bool reads =
        std::find(kReadingOptions.begin(), kReadingOptions.end(), name) != kReadingOptions.end();
    if (reads) facts.options.emplace_back(name, value);
  }
  return facts;
}

SourceNames source_names(std::span<const InputFile> files, std::size_t first_own_file) {
  SourceNames sources;
  std::unordered_map<std::string, std::size_t> known;
  sources.of_file.resize(files.size());
  const auto add = [&](std::size_t file, const std::string& name) {
    const auto [at, added] = known.emplace(name, sources.names.size());
    if (added) sources.names.push_back(name);
    sources.of_file[file] = at->second;
  };
  for (std::size_t i = first_own_file; i < files.size(); ++i) add(i, files[i].group);
  for (std::size_t i = 0; i < first_own_file; ++i) add(i, files[i].group + " (against)");
  return sources;
}

void save_run(const Options& options, const SavedRunSource& source, const ReportPage& page,
              RunFolderWriter& out) {
  RunSaver saver(source, out);
  saver.write();
  source.measure();
  RunFacts facts = facts_of_run(options, source.report);
  facts.sources = saver.sources();
  facts.bound = page.threshold;
  JsonWriter overview;
  overview.begin_object();
  add_run_overview(page, true, overview);
  add_components(page.clusters, overview);
  add_histogram(page, overview);
  overview.end_object();
  facts.overview = overview.text();
  out.finish(facts);
}

}  // namespace sosie

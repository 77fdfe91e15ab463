// Writes the folder of `link --save`: groups, records with their places, and pairs to review.
#include "report/save_links.h"

#include <xxhash.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/json_writer.h"
#include "report/link_files.h"
#include "report/link_overview.h"
#include "report/repeat_command.h"
#include "report/run_rows.h"
#include "report/save_run.h"
#include "sosie/error.h"

namespace sosie {
namespace {

constexpr std::uint64_t kNotSaved = ~std::uint64_t{0};

// Value of a pair in a saved run: its probability or, if that is unknown, its score.
double value_of(const ScoredLink& link) noexcept {
  return link.probability < 0 ? link.score : link.probability;
}

class LinkSaver {
 public:
  LinkSaver(const SavedLinks& links, RunFolderWriter& out)
      : links_(links),
        out_(out),
        files_(files_of(links)),
        sources_(source_names(files_, right_files())),
        left_rows_(links.left.corpus),
        right_rows_(links.right == nullptr ? links.left.corpus : links.right->corpus),
        values_(links.first.size(), -std::numeric_limits<double>::infinity()),
        weakest_(links.first.size(), std::numeric_limits<double>::infinity()),
        hashes_(links.first.size()),
        members_(links.first.size(), kNotSaved) {}

  // Files of both collections, beginning with the files of --against.
  [[nodiscard]] const std::vector<InputFile>& files() const noexcept { return files_; }
  [[nodiscard]] std::size_t right_files() const noexcept {
    return links_.right == nullptr ? 0 : links_.right->inputs.list.size();
  }
  [[nodiscard]] const std::vector<std::string>& sources() const noexcept { return sources_.names; }

  void write() {
    measure();
    std::vector<std::uint32_t> records = saved_records();
    // In input order, in which rows of compressed files are cheap to read.
    for (const std::uint32_t record : records) hashes_[record] = hash_of(record);
    const auto size_of = [&](std::uint32_t record) { return sizes_[links_.first[record]]; };
    // Records in no group come last, each as a group of its own.
    std::stable_sort(records.begin(), records.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(size_of(a) == 1, links_.first[a]) <
             std::pair(size_of(b) == 1, links_.first[b]);
    });
    for (std::size_t i = 0; i < records.size(); ++i) {
      const std::uint32_t record = records[i];
      const bool begins = i == 0 || links_.first[record] != links_.first[records[i - 1]];
      if (begins) {
        end_group();
        group_ = links_.first[record];
        out_.begin_group(line_of(record));
      }
      members_[record] = i;
      add(record, begins);
    }
    end_group();
    for (const SavedLink& each : links_.pairs) {
      out_.add(RunPair{members_[each.link.left], members_[each.link.right], each.link.score,
                       each.link.probability, each.flags, each.stratum});
    }
  }

 private:
  static std::vector<InputFile> files_of(const SavedLinks& links) {
    std::vector<InputFile> files;
    if (links.right != nullptr) files = links.right->inputs.list;
    files.insert(files.end(), links.left.inputs.list.begin(), links.left.inputs.list.end());
    return files;
  }

  // Computes the value of each record's best pair in its group, of each group's weakest pair, and
  // the sizes.
  void measure() {
    sizes_.resize(links_.first.size());
    for (const std::uint32_t first : links_.first) ++sizes_[first];
    for (const SavedLink& each : links_.pairs) {
      if ((each.flags & RunPair::linked) == 0) continue;
      const double value = value_of(each.link);
      for (const std::uint32_t record : {each.link.left, each.link.right}) {
        values_[record] = std::max(values_[record], value);
      }
      double& weakest = weakest_[links_.first[each.link.left]];
      weakest = std::min(weakest, value);
    }
  }

  // Records in groups and pairs, in input order.
  [[nodiscard]] std::vector<std::uint32_t> saved_records() const {
    std::vector<bool> is_saved(links_.first.size());
    for (std::size_t record = 0; record < links_.first.size(); ++record) {
      is_saved[record] = sizes_[links_.first[record]] > 1;
    }
    for (const SavedLink& each : links_.pairs) {
      is_saved[each.link.left] = is_saved[each.link.right] = true;
    }
    std::vector<std::uint32_t> records;
    for (std::uint32_t record = 0; record < is_saved.size(); ++record) {
      if (is_saved[record]) records.push_back(record);
    }
    return records;
  }

  [[nodiscard]] bool is_right(std::uint32_t record) const noexcept {
    return links_.right != nullptr && record >= links_.names.split;
  }
  [[nodiscard]] const ItemPlaces& places_of(std::uint32_t record) const noexcept {
    return is_right(record) ? *links_.right : links_.left;
  }
  [[nodiscard]] std::uint32_t row_of(std::uint32_t record) const noexcept {
    return is_right(record) ? record - links_.names.split : record;
  }

  // The values of a record, joined into one line.
  [[nodiscard]] std::string line_of(std::uint32_t record) const {
    const ItemPlaces& places = places_of(record);
    std::string line;
    for (const ReportField& field : row_fields(places.inputs, places.corpus, row_of(record))) {
      if (!line.empty()) line += ", ";
      line += field.value;
    }
    std::replace(line.begin(), line.end(), '\n', ' ');
    return line;
  }

  [[nodiscard]] std::uint64_t hash_of(std::uint32_t record) {
    const ItemPlaces& places = places_of(record);
    const RowLocator place = places.corpus.locator(row_of(record));
    bytes_.resize(place.length);
    places.inputs.files[place.file].read_at(place.offset, bytes_.data(), bytes_.size());
    return XXH3_64bits(bytes_.data(), bytes_.size());
  }

  void add(std::uint32_t record, bool is_first) {
    const ItemPlaces& places = places_of(record);
    const RowLocator place = places.corpus.locator(row_of(record));
    const bool right = is_right(record);
    const double value = values_[record];
    RunMember member;
    member.offset = place.offset;
    member.length = place.length;
    member.file = place.file + static_cast<std::uint32_t>(right ? 0 : right_files());
    member.set_row((right ? right_rows_ : left_rows_).number_of(row_of(record), place.file));
    member.hash = hashes_[record];
    member.value = value == -std::numeric_limits<double>::infinity() ? 0 : value;
    member.flags = (is_first ? RunMember::kept : 0U) | (right ? RunMember::of_against : 0U) |
                   (links_.names.is_integer(record) ? RunMember::integer_id : 0U);
    out_.add({member, links_.names.of(record), sources_.of_file[member.file]});
  }

  void end_group() {
    if (group_ == kNoRow) return;
    const double weakest = weakest_[group_];
    out_.end_group(weakest == std::numeric_limits<double>::infinity() ? 0 : weakest);
  }

  const SavedLinks& links_;
  RunFolderWriter& out_;
  std::vector<InputFile> files_;
  SourceNames sources_;
  FileRows left_rows_;
  FileRows right_rows_;
  std::vector<double> values_;          // by record
  std::vector<double> weakest_;         // by first record of a group
  std::vector<std::uint32_t> sizes_;    // likewise
  std::vector<std::uint64_t> hashes_;   // by record: hash of its bytes
  std::vector<std::uint64_t> members_;  // by record: its position in the table of members
  RowId group_ = kNoRow;
  std::string bytes_;
};

// A JSON object with the facts about the whole run that the page shows.
std::string links_overview(const Options& options, const LinkFacts& facts, const LinkBins& bins,
                           const std::vector<InputFile>& files) {
  const std::string first = writes_records(options) && !files.empty() ? files[0].path : "";
  JsonWriter json;
  json.begin_object();
  add_link_overview(options, facts, bins, json);
  json.members({{"text", link_summary(facts)},
                {"apply", judged_command(options, "reuse", "decisions.tsv", first)},
                {"learn", judged_command(options, "labels", "labels.tsv", first)}});
  if (options.labels.empty() && options.reuse.empty()) {  // which explain does not support
    json.members({{"explain", explain_words(options)}, {"explain_inputs", input_words(options)}});
  }
  json.end_object();
  return json.text();
}

}  // namespace

void check_saved_links(const Options& options, const Inputs& left, const Inputs* right) {
  check_saved_inputs(options, left);
  if (right != nullptr) check_saved_inputs(options, *right);
}

void save_links(const Options& options, const LinkFacts& facts, const SavedLinks& links,
                RunFolderWriter& out) {
  LinkSaver saver(links, out);
  saver.write();
  RunFacts saved = reading_facts(options, saver.files(), saver.right_files());
  saved.sources = saver.sources();
  saved.id_field = links.left.inputs.fields.id;
  if (links.right != nullptr) saved.against_id = links.right->inputs.fields.id;
  saved.kind = "records";
  saved.value_name = facts.has_odds ? "probability" : "score";
  saved.bound = facts.cut.links > 0 ? facts.cut.score : 0;
  saved.is_of_links = true;
  saved.columns = links.columns;
  saved.estimate = links.estimate;
  saved.overview = links_overview(options, facts, links.bins, links.left.inputs.list);
  out.finish(saved);
}

}  // namespace sosie

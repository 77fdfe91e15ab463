// Surveys the rows of a run for the planner, from pieces spread over the inputs.
#include "corpus/rows/survey.h"

#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "corpus/bad_row.h"
#include "corpus/first_ids.h"
#include "corpus/ill_formed.h"
#include "corpus/row_parsers.h"
#include "corpus/rows/row_reader.h"
#include "corpus/rows/row_sketches.h"
#include "corpus/scan.h"
#include "data/padded_bytes.h"
#include "kernels/intersection_size.h"
#include "plan/copy_sample.h"

namespace sosie {
namespace {

constexpr std::uint64_t kPieces = 128;
constexpr std::uint64_t kPieceBytes = std::uint64_t{128} << 10;
constexpr std::uint64_t kMostSketched = 1024;  // rows, of all pieces together
// Maximum number of rows per collection whose ids are checked, at about 56 bytes each.
constexpr std::size_t kMostIds = std::size_t{1} << 18;

std::uint64_t count_foreign(std::string_view text) noexcept {
  return static_cast<std::uint64_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0x80) != 0;
  }));
}

// Extrapolates a sum over `seen` bytes to `of_all` bytes.
std::uint64_t scaled(std::uint64_t sum, std::uint64_t of_all, std::uint64_t seen) noexcept {
  return static_cast<std::uint64_t>(static_cast<double>(sum) * static_cast<double>(of_all) /
                                    static_cast<double>(std::max<std::uint64_t>(1, seen)));
}

// Counts for those files of one collection whose rows must be counted.
struct Seen {
  std::uint64_t of_bytes = 0;  // that these files have
  std::uint64_t bytes = 0;     // bytes of rows, with blank lines
  std::uint64_t rows = 0;
};

// A row that was sketched.
struct Drawn {
  std::uint64_t piece;
  std::uint64_t shingles;
};

class Surveyor {
 public:
  Surveyor(const Inputs& inputs, const Settings& settings)
      : inputs_(inputs),
        settings_(settings),
        parsers_(inputs, fields_of_scan(inputs, settings)),
        shingler_(settings.shingle),
        threshold_(settings.threshold),
        sketches_(settings) {
    ends_.reserve(inputs.files.size());
    for (std::uint32_t i = 0; i < inputs.files.size(); ++i) {
      const std::uint64_t size = inputs.files[i].size();
      ends_.push_back(total_bytes() + size);
      if (is_counted(i)) seen_of(i).of_bytes += size;
    }
  }

  RowSurvey survey() {
    const std::uint64_t total = total_bytes();
    survey_.bytes = total;
    survey_.whole = total <= kPieces * kPieceBytes;
    const std::uint64_t pieces = survey_.whole ? (total + kPieceBytes - 1) / kPieceBytes : kPieces;
    for (std::uint64_t i = 0; i < pieces; ++i) {
      const std::uint64_t begin = survey_.whole ? i * kPieceBytes : total / kPieces * i;
      begin_piece(kMostSketched / pieces);
      inspect(begin, std::min(total, begin + kPieceBytes));
    }
    survey_.neighbours = pieces == 0 ? 0 : seen_rows_ / pieces;
    if (first_ill_formed_) {
      IllFormedFile file = ill_formed_file(inputs_, *first_ill_formed_);
      file.bytes = [&] { return ill_formed_bytes_; };
      check_encoding({seen_rows_, ill_formed_}, settings_, file);
    }
    compare();
    extend();
    return survey_;
  }

 private:
  [[nodiscard]] std::uint64_t total_bytes() const noexcept {
    return ends_.empty() ? 0 : ends_.back();
  }

  // True for files whose number of rows is known: documents and tables in memory.
  [[nodiscard]] bool is_counted(std::uint32_t file) const {
    return !inputs_.list[file].format->is_document() && inputs_.table_of(file) == nullptr;
  }

  [[nodiscard]] Seen& seen_of(std::uint32_t file) noexcept {
    return file < inputs_.first_own_file ? others_ : own_;
  }

  // Sketches equally spaced rows of a piece; the spacing is estimated from earlier pieces.
  void begin_piece(std::uint64_t most_sketched) {
    const std::uint64_t expected = pieces_begun_ == 0 ? 1 : seen_rows_ / pieces_begun_;
    ++pieces_begun_;
    sketch_each_ = expected / most_sketched + 1;
    sketches_left_ = most_sketched;
    rows_of_piece_ = 0;
  }

  // A piece of the concatenation of all inputs.
  void inspect(std::uint64_t begin, std::uint64_t end) {
    auto file = static_cast<std::uint32_t>(std::upper_bound(ends_.begin(), ends_.end(), begin) -
                                           ends_.begin());
    for (; file < ends_.size(); ++file) {
      const std::uint64_t start = file == 0 ? 0 : ends_[file - 1];
      if (start >= end) break;
      inspect_file(file, std::max(begin, start) - start, std::min(end, ends_[file]) - start);
    }
  }

  void inspect_file(std::uint32_t file, std::uint64_t begin, std::uint64_t end) {
    const RowSource source = inputs_.source(file);
    switch (source.row_ends) {
      case RowEnds::line:
      case RowEnds::file:
        inspect_block({file, std::max(begin, source.begin), end, source.row_ends});
        break;
      case RowEnds::quoted_line:
      case RowEnds::record:
      case RowEnds::cell:
        inspect_next(file, end - begin);
        break;
    }
  }

  // Inspects the rows that begin in this range.
  void inspect_block(const BlockRange& range) {
    const bool is_document = range.row_ends == RowEnds::file;
    if (range.begin >= range.end || (is_document && range.begin > 0)) return;
    reader_.open(inputs_.source(range.file), range);
    for (RowView row; reader_.next(row);) inspect_row(range.file, row);
  }

  // Inspects the next rows of a file, up to a number of bytes.
  void inspect_next(std::uint32_t file, std::uint64_t bytes) {
    if (!stream_ || file != streamed_) stream_.emplace(inputs_.source(file));
    streamed_ = file;
    RowView row;
    for (std::uint64_t seen = 0; seen < bytes && stream_->next(row); seen += row.length) {
      inspect_row(file, row);
    }
  }

  void inspect_row(std::uint32_t file, const RowView& row) {
    seen_bytes_ += row.length;
    const bool counted = is_counted(file);
    if (counted) seen_of(file).bytes += row.length;
    const auto is_blank = inputs_.list[file].format->is_blank;
    if (is_blank != nullptr && is_blank(row.bytes)) return;
    if (counted) ++seen_of(file).rows;
    ++seen_rows_;
    ++rows_of_piece_;
    survey_.longest_row = std::max<std::uint64_t>(survey_.longest_row, row.length);
    const RowLocator locator{row.offset, row.length, file};
    try {
      parsers_.parse(file, row.bytes, record_);
    } catch (const RowError& error) {
      if (settings_.bad_rows != BadRows::stop) return;
      throw_bad_row(inputs_, {locator, row.offset + error.offset(), error.what()},
                    kWaysRoundBadRows);
    }
    check_id(locator);
    inspect_text(record_.text, row.bytes, locator);
  }

  // Rejects a row if an earlier row of its collection has the same id. Only the first rows are
  // checked; the run itself checks all of them.
  void check_id(const RowLocator& row) {
    if (inputs_.numbers_rows_of(row.file) || inputs_.list[row.file].format->is_document()) return;
    auto& rows = row.file < inputs_.first_own_file ? other_rows_ : own_rows_;
    const std::uint64_t hash = XXH3_64bits(record_.id.data(), record_.id.size());
    const auto known = rows.find(hash);
    if (known == rows.end()) {
      if (rows.size() < kMostIds) rows.emplace(hash, row);
    } else if (const std::string id(record_.id); id_of(known->second) == id) {
      refuse_same_id(inputs_, id, known->second, row);
    }
  }

  [[nodiscard]] std::string id_of(const RowLocator& row) const {
    PaddedBytes bytes;
    bytes.reserve(row.length);
    inputs_.files[row.file].read_at(row.offset, bytes.data(), row.length);
    bytes.set_size(row.length);
    RowParsers parsers(inputs_, fields_of_scan(inputs_, settings_));
    Record record;
    parsers.parse(row.file, row_line(*inputs_.list[row.file].format, bytes.view()), record);
    return std::string(record.id);
  }

  void note_ill_formed(std::string_view row, const RowLocator& locator) {
    const auto place = find_ill_formed_place(row, inputs_.encoding_of(locator.file));
    if (!place) return;
    ++ill_formed_;
    ill_formed_bytes_.add(row);
    if (!first_ill_formed_) {
      first_ill_formed_ = BadRow{locator, locator.offset + place->offset, place->reason};
    }
  }

  void inspect_text(std::string_view text, std::string_view row, const RowLocator& locator) {
    shingler_.read_set(text);
    if (!shingler_.is_well_formed()) note_ill_formed(row, locator);
    const auto shingles = shingler_.shingles();
    survey_.foreign_bytes += count_foreign(text);
    survey_.tokens += shingler_.token_count();
    survey_.shingles += shingles.size();
    survey_.most_shingles = std::max<std::uint64_t>(survey_.most_shingles, shingles.size());
    if (!shingles.empty()) {
      const std::uint64_t key =
          copy_key(shingler_.text_hash(), locator.file < inputs_.first_own_file);
      copies_.add(key, pieces_begun_ % 2 == 1 ? CopySample::Part::first : CopySample::Part::second);
      if (rows_of_piece_ % sketch_each_ == 0) sketch(shingles, key);
    }
    hashes_.assign(shingles.begin(), shingles.end());
    scratch_.resize(std::max(scratch_.size(), hashes_.size()));
    survey_.elements +=
        kernels::sort_unique_hashes(hashes_.data(), hashes_.size(), scratch_.data());
  }

  void sketch(std::span<const std::uint64_t> shingles, std::uint64_t key) {
    if (sketches_left_ == 0 || !sketched_texts_.insert(key).second) return;
    --sketches_left_;
    sketches_.add(shingles);
    drawn_.push_back({pieces_begun_, shingles.size()});
  }

  void compare() {
    std::vector<bool> partnered(sketches_.size(), false);
    for (std::size_t i = 0; i + 1 < sketches_.size(); ++i) {
      std::size_t other = i + 1;
      for (const std::uint32_t similarity : sketches_.similarities(i, other)) {
        SampledRowPairs& pairs =
            drawn_[i].piece == drawn_[other].piece ? survey_.near : survey_.far;
        ++pairs.drawn;
        ++pairs.by_similarity[similarity];
        pairs.shingles[similarity] += drawn_[i].shingles + drawn_[other].shingles;
        if (is_similar_bin(similarity, threshold_)) partnered[i] = partnered[other] = true;
        ++other;
      }
    }
    survey_.drawn = drawn_.size();
    survey_.partnered =
        static_cast<std::uint64_t>(std::count(partnered.begin(), partnered.end(), true));
  }

  // Extrapolates from the inspected pieces to the whole input.
  void extend() {
    for (std::uint64_t* sum :
         {&survey_.foreign_bytes, &survey_.tokens, &survey_.shingles, &survey_.elements}) {
      if (!survey_.whole) *sum = scaled(*sum, survey_.bytes, seen_bytes_);
    }
    survey_.other_rows = rows_of(others_);
    survey_.rows = survey_.other_rows + rows_of(own_);
    for (std::uint32_t i = 0; i < inputs_.list.size(); ++i) {
      if (is_counted(i)) continue;
      const TableColumns* table = inputs_.table_of(i);
      const std::uint64_t rows = table == nullptr ? 1 : table->table->rows();
      survey_.rows += rows;
      if (i < inputs_.first_own_file) survey_.other_rows += rows;
    }
    count_copies();
  }

  void count_copies() {
    const std::uint64_t added = copies_.rows();
    const std::uint64_t texts = scaled(survey_.rows, added, seen_rows_);  // the others are empty
    const std::uint64_t distinct = copies_.distinct_among(texts, added);
    survey_.copied_rows = texts - distinct;
    if (survey_.copied_rows == 0 || drawn_.empty()) return;
    std::uint64_t shingles = 0;
    for (const Drawn& drawn : drawn_) shingles += drawn.shingles;
    const double mean = static_cast<double>(shingles) / static_cast<double>(drawn_.size());
    const double elements = mean * static_cast<double>(distinct) *
                            static_cast<double>(survey_.elements) /
                            static_cast<double>(survey_.shingles);
    survey_.copied_elements =
        survey_.elements - std::min(survey_.elements, static_cast<std::uint64_t>(elements));
  }

  [[nodiscard]] std::uint64_t rows_of(const Seen& seen) const noexcept {
    return survey_.whole ? seen.rows : scaled(seen.rows, seen.of_bytes, seen.bytes);
  }

  const Inputs& inputs_;
  const Settings& settings_;
  std::uint64_t ill_formed_ = 0;  // rows that are not in their encoding
  std::optional<BadRow> first_ill_formed_;
  IllFormedBytes ill_formed_bytes_;
  RowParsers parsers_;
  TextShingler shingler_;
  BlockReader reader_;
  Record record_;
  std::optional<RowStream> stream_;  // stream of a file that is read from its beginning
  std::uint32_t streamed_ = 0;       // its number
  // The first rows of each collection, by the hashes of their ids.
  std::unordered_map<std::uint64_t, RowLocator> other_rows_;
  std::unordered_map<std::uint64_t, RowLocator> own_rows_;
  std::vector<std::uint64_t> ends_;  // ends of the files, laid one behind the other
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint64_t> scratch_;
  Seen others_;
  Seen own_;
  std::uint64_t seen_bytes_ = 0;
  std::uint64_t seen_rows_ = 0;
  Rational threshold_;
  RowSketches sketches_;
  std::unordered_set<std::uint64_t> sketched_texts_;
  std::vector<Drawn> drawn_;
  CopySample copies_;
  std::uint64_t pieces_begun_ = 0;
  std::uint64_t rows_of_piece_ = 0;  // so far
  std::uint64_t sketch_each_ = 1;
  std::uint64_t sketches_left_ = 0;  // in this piece
  RowSurvey survey_;
};

}  // namespace

RowSurvey survey_rows(const Inputs& inputs, const Settings& settings) {
  return Surveyor(inputs, settings).survey();
}

}  // namespace sosie

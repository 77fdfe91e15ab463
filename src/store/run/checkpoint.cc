// Folder of --checkpoint for texts, sets and bags: checks that it belongs to the run, reads it back
// block by block.
#include "store/run/checkpoint.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "core/joined_text.h"
#include "options/equal_values.h"
#include "sosie/error.h"
#include "store/packed_writer.h"
#include "store/saved_plan.h"
#include "store/sketch_contents.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

constexpr std::string_view kMark = "sosie checkpoint 1\n";  // the digit is the version
constexpr std::size_t kMarkBytes = 19;
constexpr std::string_view kHint = CheckpointFolder::kHint;

// Options that must be equal, in addition to the options of sketches.
constexpr std::array<std::string_view, 6> kMore = {"against", "group-by",  "element",
                                                   "weight",  "delimiter", "no-header"};

// Header of a block.
struct BlockHead {
  static constexpr std::size_t kBytes = 42;
  std::uint64_t number = 0;
  BlockRange range;
  std::uint64_t input_hash = 0;
  bool has_bad_rows = false;
  std::uint8_t bad_rows = 0;  // --on-bad-row
};

void pack_head(PackedWriter& out, const BlockHead& head) {
  out.value(head.number);
  out.value(head.range.begin);
  out.value(head.range.end);
  out.value(head.range.file);
  out.value(static_cast<std::uint8_t>(head.range.row_ends));
  out.value(static_cast<std::uint8_t>(head.range.dialect.separator));
  out.value(static_cast<std::uint8_t>(head.range.state));
  out.value(std::uint8_t{0});
  out.value(head.input_hash);
  out.value(static_cast<std::uint8_t>(head.has_bad_rows));
  out.value(head.bad_rows);
}

BlockHead unpack_head(PackedReader& in) {
  BlockHead head;
  head.number = in.value<std::uint64_t>();
  head.range.begin = in.value<std::uint64_t>();
  head.range.end = in.value<std::uint64_t>();
  head.range.file = in.value<std::uint32_t>();
  head.range.row_ends = static_cast<RowEnds>(in.value<std::uint8_t>());
  head.range.dialect.separator = static_cast<char>(in.value<std::uint8_t>());
  head.range.state = static_cast<QuoteState>(in.value<std::uint8_t>());
  (void)in.value<std::uint8_t>();
  head.input_hash = in.value<std::uint64_t>();
  head.has_bad_rows = in.value<std::uint8_t>() != 0;
  head.bad_rows = in.value<std::uint8_t>();
  return head;
}

// The names of the file formats contain the rest of a dialect.
bool same_stretch(const BlockRange& a, const BlockRange& b) noexcept {
  return a.file == b.file && a.begin == b.begin && a.end == b.end && a.row_ends == b.row_ends &&
         a.dialect.separator == b.dialect.separator && a.state == b.state;
}

std::uint64_t hash_of(const File& file, const BlockRange& range) {
  thread_local std::vector<char> bytes;
  bytes.resize(range.end - range.begin);
  file.read_at(range.begin, bytes.data(), bytes.size());
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string first_record(const SketchContents& contents) {
  PackedWriter out;
  out.column(std::span(kMark.data(), kMark.size()));
  pack_contents(out, contents);
  return out.bytes();
}

// Hash that identifies the rows, independent of other facts about them.
std::uint64_t identity_of(SketchContents contents) {
  contents.has_lengths = false;
  contents.rank_fields.clear();
  const std::string bytes = first_record(contents);
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::string value_of(const SketchContents& contents, std::string_view name) {
  const auto found = std::find_if(contents.options.begin(), contents.options.end(),
                                  [&](const auto& option) { return option.first == name; });
  return found == contents.options.end() ? std::string() : found->second;
}

// Encodings shown by byte order marks; empty if all files are UTF-8, as with --encoding utf-8.
std::string marked_encodings(const Inputs& inputs) {
  std::vector<std::string_view> names;
  for (const FileEncoding& encoding : inputs.encodings) names.push_back(encoding.name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const bool all_usual = names.empty() || (names.size() == 1 && names.front() == "utf-8");
  return all_usual ? std::string() : joined_text(names, " ");
}

}  // namespace

void Checkpoint::begin(SketchContents contents, const Inputs& inputs, BadRows bad_rows) {
  contents_ = std::move(contents);
  inputs_ = &inputs;
  bad_rows_ = bad_rows;
  begun_ = true;
  const std::optional<std::string> saved =
      folder_.rows().size() == 0 ? std::nullopt : folder_.rows().read(0);
  if (saved && *saved != first_record(contents_)) {
    if (saved->substr(0, kMarkBytes) != kMark) {
      throw Error(ErrorKind::unsupported,
                  folder_.path() + ": was written by another version of sosie", std::string(kHint));
    }
    const std::string rest = saved->substr(kMarkBytes);
    PackedReader in(rest, folder_.path(), kHint);
    const SketchContents was = unpack_contents(in, folder_.path());
    if (was.id_field == contents_.id_field) take_value(was.options, "id", contents_.options);
    take_spelling(was.options, contents_.options);
    if (equal_values(was.plan.recall, contents_.plan.recall)) {
      contents_.plan.recall = was.plan.recall;
    }
    check_contents(was);
  }
  const std::string about = first_record(contents_);
  // Blocks saved under another record lack values needed by --keep.
  if (saved != about) folder_.rows().start(about);
  overlaps_ = std::make_unique<SavedOverlaps>(folder_.compared(), identity_of(contents_));
  find_blocks();
}

void Checkpoint::check_contents(const SketchContents& saved) const {
  const std::string& path = folder_.path();
  const auto same = [&](std::string_view option, const std::string& value,
                        const std::string& saved_value) {
    expect_equal_option(option, saved_value, path, value, "this run", kHint);
  };
  for (const std::string_view option : sketch_option_names()) {
    if (option == "keep" || option == "on-bad-row") continue;
    same(option, made_with(contents_, option), made_with(saved, option));
  }
  for (const std::string_view option : kMore) {
    same(option, value_of(contents_, option), value_of(saved, option));
  }
  same("id", contents_.id_field, saved.id_field);
  check_files(saved);
  expect_equal_plans(saved.plan, path, contents_.plan, "this run", kHint);
}

void Checkpoint::check_files(const SketchContents& saved) const {
  const std::vector<SketchedFile>& files = contents_.files;
  for (std::size_t i = 0; i < std::max(files.size(), saved.files.size()); ++i) {
    const bool in_both = i < files.size() && i < saved.files.size();
    if (!in_both || files[i].input.path != saved.files[i].input.path) {
      const auto path = [i](const std::vector<SketchedFile>& list) {
        return i < list.size() ? list[i].input.path : "none";
      };
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: input {} was {}, in this run it is {}", folder_.path(), i + 1,
                              path(saved.files), path(files)),
                  std::string(kHint));
    }
    if (files[i].bytes == saved.files[i].bytes &&
        files[i].fingerprint == saved.files[i].fingerprint) {
      continue;
    }
    const bool same_size = files[i].bytes == saved.files[i].bytes;
    throw Error(
        ErrorKind::malformed_input,
        fmt::format("{}: has changed since {} was made: {}", files[i].input.name, folder_.path(),
                    same_size ? "its content differs"
                              : fmt::format("it had {} bytes and now has {}", saved.files[i].bytes,
                                            files[i].bytes)),
        std::string(kHint));
  }
}

void Checkpoint::find_blocks() {
  for (std::size_t record = 1; record < folder_.rows().size(); ++record) {
    const std::string bytes = folder_.rows().head(record, BlockHead::kBytes);
    if (bytes.size() < BlockHead::kBytes) continue;
    PackedReader in(bytes, folder_.path(), kHint);
    const BlockHead head = unpack_head(in);
    // A block's bytes are checked when it is read; all earlier blocks were saved before it.
    if (head.number >= record) continue;
    if (head.has_bad_rows && head.bad_rows != static_cast<std::uint8_t>(bad_rows_)) continue;
    if (known_.size() <= head.number) known_.resize(head.number + 1);
    known_[head.number] = record;
    if (head.range.begin < head.range.end) known_bytes_ += head.range.end - head.range.begin;
  }
}

double Checkpoint::known_part() const noexcept {
  std::uint64_t bytes = 0;
  for (const SketchedFile& file : contents_.files) bytes += file.bytes;
  if (bytes == 0) return 0;
  return std::min(1.0, static_cast<double>(known_bytes_) / static_cast<double>(bytes));
}

SketchShape Checkpoint::shape_of(const BlockRange& range) const {
  SketchShape shape = contents_.shape();
  shape.has_ids = !inputs_->numbers_rows_of(range.file);
  return shape;
}

bool Checkpoint::load(std::size_t number, const BlockRange& range, ScannedBlock& block) {
  input_hashes_[number] = hash_of(inputs_->files[range.file], range);
  if (number >= known_.size() || known_[number] == 0) return false;
  const std::optional<std::string> bytes = folder_.rows().read(known_[number]);
  if (!bytes) return false;
  PackedReader in(*bytes, folder_.path(), kHint);
  const BlockHead head = unpack_head(in);
  if (head.number != number || !same_stretch(head.range, range)) return false;
  if (head.input_hash != input_hashes_[number]) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: has changed since {} was made: bytes {} to {} differ",
                            inputs_->list[range.file].name, folder_.path(), range.begin, range.end),
                std::string(kHint));
  }
  const auto rows = std::string_view(*bytes).substr(BlockHead::kBytes);
  return unpack(rows, range, block) && block.bad_rows.empty() == !head.has_bad_rows;
}

// A block that cannot have been saved from this range counts as damaged and is scanned again.
bool Checkpoint::unpack(std::string_view bytes, const BlockRange& range,
                        ScannedBlock& block) const {
  try {
    block = unpack_sketch_block(bytes, shape_of(range), range.file, folder_.path());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::malformed_input) throw;
    return false;
  }
  return can_be_block_of(range, inputs_->files[range.file].size(), block);
}

void Checkpoint::save(std::size_t number, const BlockRange& range, const ScannedBlock& block) {
  PackedWriter head;
  pack_head(head, {number, range, input_hashes_[number], !block.bad_rows.empty(),
                   static_cast<std::uint8_t>(bad_rows_)});
  folder_.rows().append(head.bytes() + pack_sketch_block(block, shape_of(range)));
}

SketchContents checkpoint_contents(const Options& options, const Settings& settings,
                                   const Inputs& inputs, const BandingPlan& plan) {
  SketchContents contents = contents_of(options, settings, inputs);
  std::erase_if(contents.options, [](const auto& option) {
    return option.first == "keep" || option.first == "on-bad-row";
  });
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) contents.options.emplace_back(name, value);
  };
  add("against", fmt::format("{} files", inputs.first_own_file));
  add("group-by", options.group_by);
  add("element", options.element);
  add("weight", options.weight);
  add("delimiter", options.delimiter);
  if (options.skip_lines > 0) add("skip-lines", std::to_string(options.skip_lines));
  const auto add_other = [&](std::string_view name, const std::string& other,
                             const std::string& own) {
    if (!equal_values_of(name, other, own)) add(fmt::format("other-{}", name), other);
  };
  add_other("column", options.other_column, options.column);
  for (const InputFile& input : inputs.list) {
    const bool is_usual = input.told.column == options.column;
    if (!is_usual) add("column of " + input.name, input.told.column);
  }
  if (inputs.has_against()) add_other("id", inputs.against_id, inputs.fields.id);
  add_other("delimiter", options.other_delimiter, options.delimiter);
  add_other("encoding", options.other_encoding, options.encoding);
  if (!options.other_skip_lines.empty()) {
    add_other("skip-lines", options.other_skip_lines, std::to_string(options.skip_lines));
  }
  if (options.encoding.empty()) add("encoding", marked_encodings(inputs));
  add("no-header", options.no_header ? "true" : "");
  contents.plan = saved_plan(options, settings, plan);
  return contents;
}

std::unique_ptr<Checkpoint> open_checkpoint(const Options& options) {
  if (options.checkpoint.empty()) return nullptr;
  check_checkpoint_options(options);
  return std::make_unique<Checkpoint>(options.checkpoint);
}

}  // namespace sosie

// Contents of sketch files: plan, options, inputs, as bytes; expects several files to agree.
#include "store/sketch_contents.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "options/formats.h"
#include "plan/plan_fields.h"
#include "sosie/error.h"
#include "store/sketch_options.h"

namespace sosie {
namespace {

constexpr std::uint64_t kFingerprintBytes = std::uint64_t{64} << 10;

void pack_texts(PackedWriter& out, const std::vector<std::string>& texts) {
  out.value(std::uint64_t{texts.size()});
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> unpack_texts(PackedReader& in) {
  std::vector<std::string> texts(in.count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = in.text();
  return texts;
}

void pack_file(PackedWriter& out, const SketchedFile& file) {
  const InputFile& input = file.input;
  for (const std::string& text : {input.path, input.name, input.group, saved_name(*input.format),
                                  input.relative, input.document_id}) {
    out.text(text);
  }
  out.value(file.bytes);
  out.value(file.fingerprint);
}

// Outputs are written to such a path below a folder, and must not leave it.
bool stays_below(const std::string& relative) {
  const std::filesystem::path path(relative);
  return !relative.empty() && path.is_relative() && path.has_filename() &&
         std::all_of(path.begin(), path.end(),
                     [](const std::filesystem::path& part) { return part != ".." && part != "."; });
}

// A text that functions of C get whole.
std::string unpack_c_text(PackedReader& in) {
  std::string text = in.text();
  if (text.find('\0') != std::string::npos) in.refuse();
  return text;
}

SketchedFile unpack_file(PackedReader& in) {
  SketchedFile file;
  InputFile& input = file.input;
  input.path = unpack_c_text(in);
  input.name = unpack_c_text(in);
  input.group = in.text();
  input.format = format_by_saved_name(in.text());
  if (input.path.empty() || input.format == nullptr) in.refuse();
  input.relative = unpack_c_text(in);
  if (!stays_below(input.relative)) in.refuse();
  input.document_id = in.text();
  file.bytes = in.value<std::uint64_t>();
  file.fingerprint = in.value<std::uint64_t>();
  return file;
}

}  // namespace

void pack_contents(PackedWriter& out, const SketchContents& contents) {
  out.text(plan_to_json(contents.plan));
  out.value(std::uint64_t{contents.options.size()});
  for (const auto& [name, value] : contents.options) {
    out.text(name);
    out.text(value);
  }
  out.text(contents.id_field);
  out.value(std::uint8_t{contents.has_lengths});
  pack_texts(out, contents.rank_fields);
  out.value(std::uint64_t{contents.files.size()});
  for (const SketchedFile& file : contents.files) pack_file(out, file);
  pack_texts(out, contents.passed_over);
  out.value(contents.rows);
  if (contents.has_items()) out.value(contents.dimension);
}

SketchContents unpack_contents(PackedReader& in, const std::string& name) {
  constexpr std::size_t kLeastBytesOfFile = 64;
  SketchContents contents;
  contents.plan = plan_from_json(in.text(), name);
  contents.options.resize(in.count(2 * sizeof(std::uint64_t)));
  for (auto& [option, value] : contents.options) {
    option = in.text();
    value = in.text();
  }
  contents.id_field = in.text();
  const auto has_lengths = in.value<std::uint8_t>();
  if (has_lengths > 1) in.refuse();
  contents.has_lengths = has_lengths == 1;
  contents.rank_fields = unpack_texts(in);
  contents.files.resize(in.count(kLeastBytesOfFile));
  for (SketchedFile& file : contents.files) file = unpack_file(in);
  contents.passed_over = unpack_texts(in);
  contents.rows = in.value<std::uint64_t>();
  if (contents.has_items()) contents.dimension = in.value<std::uint64_t>();
  const auto can_be_read = [&](const SketchedFile& file) {
    return file.input.format->make_parser != nullptr || contents.has_items();
  };
  if (!std::all_of(contents.files.begin(), contents.files.end(), can_be_read)) in.refuse();
  return contents;
}

SketchShape SketchContents::shape() const noexcept {
  return {static_cast<std::size_t>(plan.banding.bands),
          static_cast<std::size_t>(plan.banding.components), !id_field.empty(), has_lengths,
          rank_fields.size()};
}

std::uint64_t fingerprint_of(const File& file) {
  const std::uint64_t part = std::min(file.size(), kFingerprintBytes);
  std::string ends(2 * part, '\0');
  file.read_at(0, ends.data(), part);
  file.read_at(file.size() - part, ends.data() + part, part);
  return XXH3_64bits(ends.data(), ends.size());
}

SketchContents contents_of(const Options& options, const Settings& settings, const Inputs& inputs) {
  SketchContents contents;
  contents.options = sketch_options(options);
  contents.id_field = inputs.fields.id;
  contents.has_lengths = settings.ranks_by_length();
  contents.rank_fields = inputs.fields.others;
  for (std::size_t i = 0; i < inputs.list.size(); ++i) {
    const File& file = inputs.files[i];
    contents.files.push_back({inputs.list[i], file.size(), fingerprint_of(file)});
  }
  contents.passed_over = inputs.notes.passed_over;
  return contents;
}

void expect_equal_plans(const SavedPlan& plan, const std::string& path, const SavedPlan& other_plan,
                        const std::string& other, std::string_view hint) {
  std::map<std::string, std::string> there;  // plans of other kinds have other fields
  for (auto& [field, value] : plan_fields(other_plan)) there.emplace(field, value);
  for (const auto& [field, value] : plan_fields(plan)) {
    const auto found = there.find(field);
    if (found != there.end() && found->second == value) continue;
    throw Error(ErrorKind::invalid_option,
                fmt::format("{}: was made with {} {}, {} with {}", path, field, value, other,
                            found == there.end() ? "none" : found->second),
                std::string(hint));
  }
}

void expect_equal_option(std::string_view option, const std::string& value, const std::string& path,
                         const std::string& other_value, const std::string& other,
                         std::string_view hint) {
  if (value == other_value) return;
  throw Error(ErrorKind::invalid_option,
              fmt::format("{}: was made with --{} {}, {} with {}", path, option, shown_value(value),
                          other, shown_value(other_value)),
              std::string(hint));
}

}  // namespace sosie

// Manifest of an index on disk: a file that is always replaced as a whole.
#include "store/index/index_manifest.h"

#include <fcntl.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <functional>

#include "io/folder.h"
#include "io/output_file.h"
#include "io/system.h"
#include "sosie/error.h"
#include "store/index/index_marks.h"
#include "store/packed_writer.h"

namespace sosie {
namespace {

void pack_run(PackedWriter& out, const RunEntry& run) {
  out.value(run.number);
  out.value(run.bytes);
  out.value(run.checksum);
  out.value(run.items);
  out.value(std::uint64_t{run.removed.size()});
  out.column(std::span<const std::uint32_t>(run.removed));
}

RunEntry unpack_run(PackedReader& in) {
  RunEntry run;
  run.number = in.value<std::uint64_t>();
  run.bytes = in.value<std::uint64_t>();
  run.checksum = in.value<std::uint64_t>();
  run.items = in.value<std::uint32_t>();
  run.removed = in.column<std::uint32_t>(in.count(sizeof(std::uint32_t)));
  const bool ascend = std::adjacent_find(run.removed.begin(), run.removed.end(),
                                         std::greater_equal<>()) == run.removed.end();
  if (!ascend || (!run.removed.empty() && run.removed.back() >= run.items)) in.refuse();
  return run;
}

constexpr std::uint32_t kMostBlocks = 1024;

void pack_item_contents(PackedWriter& out, const IndexManifest& manifest) {
  const SketchContents& contents = manifest.contents;
  out.value(std::uint8_t(manifest.keys));
  out.value(manifest.blocks);
  out.text(contents.has_items() ? plan_to_json(contents.plan) : std::string());
  out.value(contents.dimension);
  out.text(contents.id_field);
  out.value(std::uint64_t{contents.options.size()});
  for (const auto& [name, value] : contents.options) {
    out.text(name);
    out.text(value);
  }
}

void unpack_item_contents(PackedReader& in, const std::string& path, IndexManifest& manifest) {
  SketchContents& contents = manifest.contents;
  const auto keys = in.value<std::uint8_t>();
  if (keys == 0 || keys > std::uint8_t(IndexKeys::hashes)) in.refuse();
  manifest.keys = IndexKeys(keys);
  manifest.blocks = in.value<std::uint32_t>();
  const bool has_blocks = manifest.blocks > 0 && manifest.blocks <= kMostBlocks;
  if (manifest.keys == IndexKeys::blocks ? !has_blocks : manifest.blocks > 0) in.refuse();
  const std::string plan = in.text();
  if (!plan.empty()) {
    contents.plan = plan_from_json(plan, path);
    if (!contents.has_items()) in.refuse();
  } else if (manifest.keys == IndexKeys::hashes) {
    in.refuse();
  }
  contents.dimension = in.value<std::uint64_t>();
  contents.id_field = in.text();
  contents.options.resize(in.count(2 * sizeof(std::uint64_t)));
  for (auto& [option, value] : contents.options) {
    option = in.text();
    value = in.text();
  }
}

std::string pack(const IndexManifest& manifest) {
  PackedWriter out;
  const std::string mark =
      index_mark("idx", manifest.has_sets() ? kIndexVersion : kNextIndexVersion);
  for (const char byte : mark) out.value(byte);
  if (manifest.has_sets()) {
    pack_contents(out, manifest.contents);
  } else {
    pack_item_contents(out, manifest);
  }
  out.value(std::uint8_t{manifest.keeps_items});
  out.value(manifest.next_number);
  out.value(manifest.next_file);
  out.value(manifest.log);
  out.value(std::uint64_t{manifest.runs.size()});
  for (const RunEntry& run : manifest.runs) pack_run(out, run);
  out.value(std::uint64_t{XXH3_64bits(out.bytes().data(), out.bytes().size())});
  return out.bytes();
}

IndexManifest unpack(std::string_view bytes, bool has_sets, const std::string& path) {
  constexpr std::size_t kLeastBytesOfRun = 36;
  PackedReader in(bytes, path, kIndexHint);
  IndexManifest manifest;
  if (has_sets) {
    manifest.contents = unpack_contents(in, path);
    if (manifest.contents.has_items()) in.refuse();
  } else {
    unpack_item_contents(in, path, manifest);
  }
  const auto keeps = in.value<std::uint8_t>();
  if (keeps > 1 || (keeps == 0 && !has_sets)) in.refuse();
  manifest.keeps_items = keeps == 1;
  manifest.next_number = in.value<std::uint64_t>();
  manifest.next_file = in.value<std::uint64_t>();
  manifest.log = in.value<std::uint64_t>();
  manifest.runs.resize(in.count(kLeastBytesOfRun));
  for (RunEntry& run : manifest.runs) {
    run = unpack_run(in);
    if (run.number >= manifest.next_file) in.refuse();
  }
  in.expect_end();
  const BandingPlan& plan = manifest.contents.plan.banding;
  if (manifest.log >= manifest.next_file || (has_sets && plan.bands < 1)) in.refuse();
  return manifest;
}

}  // namespace

IndexShape IndexManifest::shape() const noexcept {
  if (keys == IndexKeys::none) return {0, 0, false};
  if (keys == IndexKeys::blocks) return {blocks, 0, false};
  if (keys == IndexKeys::hashes) {
    return {static_cast<std::size_t>(contents.plan.hashed->bands), 0, false};
  }
  const BandingPlan& plan = contents.plan.banding;
  return {static_cast<std::size_t>(plan.bands), static_cast<std::size_t>(plan.components)};
}

std::string manifest_path(const std::string& folder) { return folder + "/MANIFEST"; }

bool is_file_of_index(const std::string& path, bool may_be_cut) {
  const std::string name = std::filesystem::path(path).filename().string();
  const bool is_named = (name.starts_with("run-") || name.starts_with("log-")) &&
                        name.find_first_not_of("0123456789", 4) == std::string::npos;
  std::error_code none;
  if (!is_named || !std::filesystem::is_regular_file(std::filesystem::symlink_status(path, none))) {
    return false;
  }
  const auto descriptor = open_regular_file(path, O_RDONLY);
  if (!descriptor) return false;
  const std::string mark = fmt::format("sosie-{}-", name.substr(0, 3));
  const std::string begin = read_to_end(descriptor->number(), path, mark.size(), nullptr);
  return begin == mark || (may_be_cut && mark.starts_with(begin));
}

// Other folders may also contain a MANIFEST. If only the mark of this one is damaged, there is a
// log as well.
bool is_index(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return false;
  if (fs::is_regular_file(manifest_path(path), error)) {
    constexpr std::string_view kMark = "sosie-idx-";
    const auto descriptor = open_regular_file(manifest_path(path), O_RDONLY);
    if (descriptor && read_to_end(descriptor->number(), path, kMark.size(), nullptr) == kMark) {
      return true;
    }
  }
  for (fs::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_file_of_index(entry->path().string(), /*may_be_cut=*/false)) return true;
  }
  return false;
}

IndexManifest read_manifest(const std::string& folder) {
  const std::string path = manifest_path(folder);
  std::error_code none;
  const bool is_file = std::filesystem::is_regular_file(folder, none);
  const auto descriptor = is_file ? nullptr : open_regular_file(path, O_RDONLY);
  if (!std::filesystem::exists(folder, none)) {
    throw Error(ErrorKind::io, BadPlace{folder}, system_message(ENOENT));
  }
  if (!descriptor && is_index(folder)) {
    throw Error(
        ErrorKind::malformed_input, BadPlace{folder},
        "the index has lost its MANIFEST, or its build was interrupted",
        fmt::format("restore MANIFEST from a backup, or rebuild the index: sosie index build "
                    "{} INPUT...",
                    folder));
  }
  if (!descriptor) {
    throw Error(
        ErrorKind::malformed_input,
        folder + (is_file ? ": is a file, not an index" : ": is not an index: it has no MANIFEST"),
        "sosie index build INDEX INPUT... makes one");
  }
  const std::string bytes = read_to_end(descriptor->number(), path, ~std::uint64_t{0}, nullptr);
  constexpr std::size_t kLeastBytes = kIndexMarkBytes + sizeof(std::uint64_t);
  if (bytes.size() < kLeastBytes) refuse_damage(path, bytes.size(), "it is too short");
  const std::string_view content = std::string_view(bytes).substr(0, bytes.size() - 8);
  const std::string_view mark = content.substr(0, kIndexMarkBytes);
  const bool has_sets = version_of_mark(mark, "idx", kNextIndexVersion, path) == kIndexVersion;
  PackedReader end(std::string_view(bytes).substr(content.size()), path, kIndexHint);
  if (end.value<std::uint64_t>() != XXH3_64bits(content.data(), content.size())) {
    refuse_damage(path, content.size(), "the checksum does not match");
  }
  return unpack(content.substr(kIndexMarkBytes), has_sets, path);
}

void write_manifest(const std::string& folder, const IndexManifest& manifest,
                    const std::atomic<bool>* cancel) {
  OutputFile out(manifest_path(folder), OutputFile::Durability::flushed_to_disk, Compression::none,
                 cancel);
  out.write(pack(manifest));
  out.commit();
}

}  // namespace sosie

// Opens an index folder that was forged or damaged by a disk. Either it is rejected, or look-ups,
// additions and compaction work on it. The first byte selects the file that the following edits
// change, and whether checksums are corrected; if they are not, `check` must detect each edit.
#include <xxhash.h>

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/small_run.h"
#include "sosie/index_folder.h"
#include "store/index/index_run.h"

namespace {

using namespace sosie;
using fuzz::require;
using fuzz::SmallRun;

constexpr std::size_t kMark = 12;
constexpr std::size_t kChecksum = 8;
constexpr std::size_t kSector = 512;

template <typename T>
T number_at(const std::string& bytes, std::size_t at) {
  T number = 0;
  if (at + sizeof number <= bytes.size()) std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void put_number(std::string& bytes, std::size_t at, std::uint64_t number) {
  if (at + sizeof number <= bytes.size()) std::memcpy(bytes.data() + at, &number, sizeof number);
}

std::uint64_t checksum_of(const std::string& bytes, std::size_t at, std::size_t size,
                          std::uint64_t seed) {
  return at + size <= bytes.size() ? XXH3_64bits_withSeed(bytes.data() + at, size, seed) : 0;
}

// Places and sizes of a run's blocks, including checksums, and of its footer.
struct RunLayout {
  std::vector<std::pair<std::size_t, std::size_t>> blocks;
  std::size_t footer = 0;
  std::size_t footer_bytes = 0;

  explicit RunLayout(const std::string& bytes) {
    const std::size_t trailer = bytes.size() - kMark - 2 * kChecksum;
    footer_bytes = number_at<std::uint64_t>(bytes, trailer);
    footer = trailer - footer_bytes;
    std::size_t at = footer + 4;
    const auto bands = number_at<std::uint32_t>(bytes, at);
    components = number_at<std::uint32_t>(bytes, at + 4);
    at += 8;
    std::size_t offset = kMark;
    offset = take_sizes(bytes, at, 4, offset);
    for (std::uint32_t band = 0; band <= bands; ++band) {
      at += 8;
      offset = take_sizes(bytes, at, 8, offset);
    }
  }

 private:
  std::uint32_t components = 0;

  // Adds the groups of signatures that precede this number of items.
  std::size_t take_filters(std::size_t items, std::size_t offset) {
    const FilterGroups groups(items, components);
    for (std::uint64_t group = 0; group < groups.groups(); ++group) {
      blocks.emplace_back(offset + groups.begin(group), groups.bytes_of(group));
    }
    return offset + groups.bytes();
  }

  // Reads a count, that many numbers of `width` bytes (4: numbers of items in blocks), and that
  // many block sizes.
  std::size_t take_sizes(const std::string& bytes, std::size_t& at, std::size_t width,
                         std::size_t offset) {
    const auto count = number_at<std::uint64_t>(bytes, at);
    const std::size_t firsts = at + 8;
    at = firsts + count * width;
    for (std::uint64_t i = 0; i < count; ++i, at += 4) {
      const std::size_t end = offset + number_at<std::uint32_t>(bytes, at);
      const bool is_of_items = width == 4;
      if (is_of_items) {
        offset = take_filters(number_at<std::uint32_t>(bytes, firsts + 4 * i), offset);
      }
      blocks.emplace_back(offset, end - offset);
      offset = end;
    }
    return offset;
  }
};

// The files of an index with some rows in a run and some in the log.
struct Folder {
  SmallRun run;
  std::map<std::string, std::string> files;
  std::string run_name;
  std::string log_name;

  Folder() {
    const SmallRun::Inside inside(run.folder());
    SmallRun::write("more.jsonl",
                    "{\"id\": \"a\", \"text\": \"some words that nobody else has here\"}\n");
    work({"build", "kept", "in.jsonl"});
    work({"add", "kept", "more.jsonl"});
    for (const auto& entry : std::filesystem::directory_iterator("kept")) {
      const std::string name = entry.path().filename().string();
      files[name] = SmallRun::read("kept/" + name);
      if (name.starts_with("run-")) run_name = name;
      if (name.starts_with("log-")) log_name = name;
    }
  }

  static void work(std::vector<std::string> inputs) {
    Options options = SmallRun::options();
    options.dry_run = false;
    options.inputs = std::move(inputs);
    (void)index_folder(options);
  }

  void restore() const {
    std::error_code none;
    std::filesystem::remove_all("x", none);
    std::filesystem::create_directory("x");
    for (const auto& [name, bytes] : files) SmallRun::write("x/" + name, bytes);
  }
};

void repair_manifest(std::string& bytes) {
  if (bytes.size() < kChecksum) return;
  const std::size_t end = bytes.size() - kChecksum;
  put_number(bytes, end, checksum_of(bytes, 0, end, 0));
}

// The manifest holds a copy of the footer's checksum.
void repair_run(std::string& bytes, const std::string& was, std::string& manifest) {
  const RunLayout layout(was);
  for (const auto& [offset, size] : layout.blocks) {
    if (size < kChecksum) continue;
    const std::size_t content = size - kChecksum;
    put_number(bytes, offset + content, checksum_of(bytes, offset, content, offset));
  }
  const std::size_t place = layout.footer + layout.footer_bytes + kChecksum;
  const auto before = number_at<std::uint64_t>(was, place);
  const std::uint64_t now = checksum_of(bytes, layout.footer, layout.footer_bytes, layout.footer);
  put_number(bytes, place, now);
  const std::string_view wanted(reinterpret_cast<const char*>(&before), sizeof before);
  if (const std::size_t at = manifest.find(wanted); at != std::string::npos) {
    put_number(manifest, at, now);
    repair_manifest(manifest);
  }
}

void repair_log(std::string& bytes) {
  const auto number = number_at<std::uint64_t>(bytes, kMark);
  put_number(bytes, kMark + 8, checksum_of(bytes, 0, kMark + 8, 0));
  for (std::size_t place = 1; place <= 2; ++place) {
    put_number(bytes, place * kSector + 16, checksum_of(bytes, place * kSector, 16, number));
  }
  for (std::size_t at = 3 * kSector; at + 16 <= bytes.size();) {
    const auto size = number_at<std::uint64_t>(bytes, at);
    if (size > bytes.size() - at - 16) break;
    put_number(bytes, at + 8, checksum_of(bytes, at + 16, size, at));
    at += 16 + size;
  }
}

// Applies edits of four bytes each: place, kind, value.
void edit(std::string& bytes, fuzz::Input& input) {
  const std::string edits(input.rest());
  for (std::size_t i = 0; i + 4 <= edits.size() && !bytes.empty(); i += 4) {
    const std::size_t at = number_at<std::uint16_t>(edits, i) % bytes.size();
    const unsigned kind = static_cast<unsigned char>(edits[i + 2]) % 8;
    if (kind < 4) {
      bytes[at] = edits[i + 3];
    } else if (kind < 6) {
      for (std::size_t k = at; k < std::min(at + 8, bytes.size()); ++k) bytes[k] = edits[i + 3];
    } else if (kind == 6) {
      bytes[at] = static_cast<char>(bytes[at] + (edits[i + 3] % 3 - 1));
    } else {
      bytes.resize(at);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Folder folder;
  const SmallRun::Inside inside(folder.run.folder());
  fuzz::Input input(data, size);
  const unsigned what = input.byte();
  const std::array names = {std::string("MANIFEST"), folder.run_name, folder.log_name};
  const std::string& name = names[what % 3];
  const bool repairs = (what & 4) == 0;
  folder.restore();
  const std::string& was = folder.files.at(name);
  std::string bytes = was;
  edit(bytes, input);
  if (repairs) {
    std::string manifest = folder.files.at("MANIFEST");
    if (name == "MANIFEST") repair_manifest(bytes);
    if (name == folder.log_name) repair_log(bytes);
    if (name == folder.run_name) repair_run(bytes, was, manifest);
    SmallRun::write("x/MANIFEST", manifest);
  }
  SmallRun::write("x/" + name, bytes);
  const bool is_whole = SmallRun::runs([] { Folder::work({"check", "x"}); });
  require(bytes != was || is_whole);
  // The log's sectors are padded with zeros that have no meaning.
  if (!repairs && name != folder.log_name) require(is_whole == (bytes == was));
  SmallRun::runs([] {
    Options options = SmallRun::options();
    options.inputs = {"x", "in.jsonl"};
    options.output = "hits.tsv";
    (void)query(options);
  });
  if ((what & 8) != 0) SmallRun::runs([] { Folder::work({"add", "x", "more.jsonl"}); });
  if ((what & 16) != 0) SmallRun::runs([] { Folder::work({"compact", "x"}); });
  return 0;
}

// Files of parts: results of a process of `dedup --part` for the run that combines them
// (docs/formats/parts.md).
#include "store/part_verdicts.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/count_text.h"
#include "core/joined_text.h"
#include "io/file.h"
#include "io/output_file.h"
#include "sosie/error.h"
#include "store/packed_writer.h"
#include "store/sketch_contents.h"

namespace sosie {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartMark = "sosie part 2\n";  // the digit is the version
constexpr std::string_view kAnyPartMark = "sosie part ";
constexpr std::string_view kPartEnd = ".part";
constexpr std::string_view kWriteParts = "sosie dedup --reuse ... --part I/N -o DIR writes parts";
constexpr std::string_view kAgain = "recreate the part: sosie dedup --reuse ... --part";

struct Part {
  std::string path;
  MatchPart part = {};
  PartSubject subject = {};
  PartVerdicts verdicts = {};
};

void pack_pairs(PackedWriter& out, const std::vector<SavedPair>& pairs) {
  out.value(std::uint64_t{pairs.size()});
  for (const SavedPair& pair : pairs) {
    out.value(pair.left);
    out.value(pair.right);
    out.value(pair.value);
  }
}

std::string packed_part(const MatchPart& part, const PartSubject& subject,
                        const PartVerdicts& verdicts) {
  PackedWriter out;
  out.column(std::span(kPartMark.data(), kPartMark.size()));
  out.value(part.index);
  out.value(part.count);
  out.text(plan_to_json(subject.plan));
  out.value(subject.rows);
  out.value(std::uint64_t{subject.sketches.size()});
  for (const PartSubject::Sketched& sketched : subject.sketches) {
    out.text(sketched.path);
    out.value(sketched.checksum);
  }
  out.value(std::uint64_t{verdicts.columns.size()});
  for (const ColumnHash& column : verdicts.columns) {
    out.value(column.band);
    out.value(column.hash);
  }
  const Buckets& buckets = verdicts.buckets;
  out.value(std::uint64_t{buckets.size()});
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    out.value(static_cast<std::uint32_t>(buckets[i].size()));
  }
  out.column(std::span(buckets.members));
  out.value(std::uint64_t{verdicts.overlaps.size()});
  for (const SavedOverlap& rows : verdicts.overlaps) {
    for (const std::uint32_t number :
         {rows.left, rows.right, rows.overlap.shared, rows.overlap.united, rows.overlap.left}) {
      out.value(number);
    }
  }
  pack_pairs(out, verdicts.pairs);
  pack_pairs(out, verdicts.far_pairs);
  return out.bytes();
}

Buckets unpack_buckets(PackedReader& in, std::uint64_t rows) {
  Buckets buckets;
  const std::uint64_t count = in.count(sizeof(std::uint32_t));
  for (const std::uint32_t size : in.column<std::uint32_t>(count)) {
    buckets.starts.push_back(buckets.starts.back() + size);
  }
  buckets.members = in.column<Place>(buckets.starts.back());
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const auto members = buckets[i];
    if (members.size() < 2 || members.back() >= rows ||
        std::adjacent_find(members.begin(), members.end(), std::greater_equal<>()) !=
            members.end()) {
      in.refuse();
    }
  }
  return buckets;
}

std::vector<SavedOverlap> unpack_overlaps(PackedReader& in, std::uint64_t rows) {
  std::vector<SavedOverlap> overlaps(in.count(sizeof(SavedOverlap)));
  for (SavedOverlap& of_rows : overlaps) {
    for (std::uint32_t* number : {&of_rows.left, &of_rows.right, &of_rows.overlap.shared,
                                  &of_rows.overlap.united, &of_rows.overlap.left}) {
      *number = in.value<std::uint32_t>();
    }
    if (of_rows.left >= of_rows.right || of_rows.right >= rows || !is_possible(of_rows.overlap)) {
      in.refuse();
    }
  }
  return overlaps;
}

std::vector<SavedPair> unpack_pairs(PackedReader& in, std::uint64_t rows) {
  std::vector<SavedPair> pairs(in.count(sizeof(SavedPair)));
  for (SavedPair& pair : pairs) {
    pair.left = in.value<std::uint32_t>();
    pair.right = in.value<std::uint32_t>();
    pair.value = in.value<double>();
    if (pair.left >= pair.right || pair.right >= rows || !std::isfinite(pair.value)) in.refuse();
  }
  return pairs;
}

Part unpack_part(std::string_view bytes, const std::string& path) {
  PackedReader in(bytes, path, kAgain);
  Part part{.path = path};
  part.part.index = in.value<std::uint32_t>();
  part.part.count = in.value<std::uint32_t>();
  if (part.part.index >= part.part.count || part.part.count > kMostParts) in.refuse();
  part.subject.plan = plan_from_json(in.text(), path);
  part.subject.rows = in.value<std::uint64_t>();
  part.subject.sketches.resize(in.count(2 * sizeof(std::uint64_t)));
  for (PartSubject::Sketched& sketched : part.subject.sketches) {
    sketched.path = in.text();
    sketched.checksum = in.value<std::uint64_t>();
  }
  part.verdicts.columns.resize(in.count(sizeof(std::uint32_t) + sizeof(std::uint64_t)));
  for (ColumnHash& column : part.verdicts.columns) {
    column.band = in.value<std::uint32_t>();
    column.hash = in.value<std::uint64_t>();
  }
  part.verdicts.buckets = unpack_buckets(in, part.subject.rows);
  part.verdicts.overlaps = unpack_overlaps(in, part.subject.rows);
  part.verdicts.pairs = unpack_pairs(in, part.subject.rows);
  part.verdicts.far_pairs = unpack_pairs(in, part.subject.rows);
  in.expect_end();
  return part;
}

Part read_part(const std::string& path) {
  const File file(path);
  std::string bytes(file.size(), '\0');
  file.read_at(0, bytes.data(), bytes.size());
  const std::string_view all = bytes;
  if (!all.starts_with(kPartMark)) {
    if (all.starts_with(kAnyPartMark)) {
      throw Error(ErrorKind::unsupported, path + ": was written by another version of sosie",
                  std::string(kAgain));
    }
    PackedReader({}, path, kAgain).refuse();
  }
  if (all.size() < kPartMark.size() + sizeof(std::uint64_t)) {
    PackedReader({}, path, kAgain).refuse();
  }
  const std::size_t end = all.size() - sizeof(std::uint64_t);
  const auto checksum = PackedReader(all.substr(end), path, kAgain).value<std::uint64_t>();
  if (checksum != XXH3_64bits(all.data(), end)) PackedReader({}, path, kAgain).refuse();
  return unpack_part(all.substr(kPartMark.size(), end - kPartMark.size()), path);
}

// Names of the parts in a folder. Hidden files are being written by a process, or were left behind.
std::vector<std::string> parts_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.')) continue;
    if (!name.ends_with(kPartEnd)) {
      throw Error(ErrorKind::invalid_option,
                  fmt::format("{}: holds files that are not parts, such as {}", folder, name),
                  "name a folder of its own, which need not exist yet");
    }
    paths.push_back((fs::path(folder) / name).string());
  }
  if (error) {
    throw Error(ErrorKind::io, folder + ": " + error.message(), std::string(kWriteParts));
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

void expect_sketches(const Part& part, const PartSubject& subject) {
  const auto& made_of = part.subject.sketches;
  for (std::size_t i = 0; i < std::max(made_of.size(), subject.sketches.size()); ++i) {
    const bool in_both = i < made_of.size() && i < subject.sketches.size();
    if (in_both && made_of[i].checksum == subject.sketches[i].checksum) continue;
    const auto name = [i](const auto& list) {
      return i < list.size() ? list[i].path : std::string("none");
    };
    throw Error(
        ErrorKind::malformed_input,
        in_both && made_of[i].path == subject.sketches[i].path
            ? fmt::format("{}: {} has changed since the part was made", part.path, made_of[i].path)
            : fmt::format("{}: was made from other sketches: file {} was {}, but now it is {}",
                          part.path, i + 1, name(made_of), name(subject.sketches)),
        "name the sketches of the parts in the same order, or recreate the parts");
  }
}

// Throws unless the parts have the same count and are complete and distinct; `parts`: by number.
void expect_all(const std::string& folder, const std::vector<Part>& parts) {
  if (parts.empty()) {
    throw Error(ErrorKind::malformed_input, folder + ": contains no part",
                std::string(kWriteParts));
  }
  std::vector<std::string> missing;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < parts.front().part.count; ++i) {
    const std::size_t first = next;
    while (next < parts.size() && parts[next].part.index == i) ++next;
    if (next == first) missing.push_back(part_text({i, parts.front().part.count}));
    if (next <= first + 1) continue;
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: is part {}, and so is {}", parts[first + 1].path,
                            part_text(parts[first].part), parts[first].path),
                "remove one of them");
  }
  if (missing.empty()) return;
  throw Error(ErrorKind::malformed_input,
              fmt::format("{}: {} {} missing: {}", folder, missing.size() == 1 ? "part" : "parts",
                          missing.size() == 1 ? "is" : "are", joined_text(missing, ", ")),
              "run the same command with --part for each of them");
}

void expect_one_subject(const Part& part, const Part& first, const PartSubject& subject) {
  if (part.part.count != first.part.count) {
    throw Error(ErrorKind::malformed_input,
                fmt::format("{}: is part {}, {} is part {}", part.path, part_text(part.part),
                            first.path, part_text(first.part)),
                "all parts must have the same N in I/N: remove the others");
  }
  expect_equal_plans(part.subject.plan, part.path, subject.plan, subject.sketches.front().path,
                     "parts and sketches must have the same plan: recreate the parts");
  expect_sketches(part, subject);
  if (part.subject.rows != subject.rows) PackedReader({}, part.path, kAgain).refuse();
}

// Frees all memory of `some`.
template <class T>
void append(std::vector<T>& all, std::vector<T>& some) {
  if (all.empty()) {
    all.swap(some);
    return;
  }
  all.insert(all.end(), some.begin(), some.end());
  std::vector<T>().swap(some);
}

}  // namespace

PartSubject subject_of(const Sketches& sketches) {
  PartSubject subject{.plan = sketches.plan(), .sketches = {}, .rows = sketches.rows()};
  const std::vector<std::string> paths = sketches.paths();
  const std::vector<std::uint64_t> checksums = sketches.checksums();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    subject.sketches.push_back({paths[i], checksums[i]});
  }
  return subject;
}

std::string part_path(const std::string& folder, const MatchPart& part) {
  return (fs::path(folder) / fmt::format("{}-of-{}{}", part.index + 1, part.count, kPartEnd))
      .string();
}

void prepare_part_folder(const std::string& folder) {
  std::error_code error;
  std::error_code ignored;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"output", folder}, "is not a folder",
                "--part writes a file for each part into a folder");
  }
  fs::create_directory(folder, error);
  if (error) {
    const fs::path around = fs::path(folder).lexically_normal().parent_path();
    const bool is_alone = !around.empty() && !fs::exists(around, ignored);
    throw Error(ErrorKind::io, folder + ": " + error.message(),
                is_alone ? fmt::format("make {} first", around.string())
                         : std::string("name a writable folder"));
  }
  (void)parts_in(folder);
}

std::uint64_t write_part(const std::string& folder, const MatchPart& part,
                         const PartSubject& subject, const PartVerdicts& verdicts,
                         const std::atomic<bool>* cancel) {
  std::string bytes = packed_part(part, subject, verdicts);
  const std::uint64_t checksum = XXH3_64bits(bytes.data(), bytes.size());
  bytes.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  OutputFile out(part_path(folder, part), cancel);
  out.write(bytes);
  out.finish();
  out.commit();
  return bytes.size();
}

void check_memory_of_pairs(std::string_view part, std::uint64_t pairs, std::uint64_t pair_bytes,
                           std::uint64_t memory_bytes) {
  if (pairs * pair_bytes <= memory_bytes / 4) return;
  throw Error(ErrorKind::limit_exceeded, RefusedOption{"part", std::string(part)},
              fmt::format("compares more than {} pairs, which do not fit in --memory",
                          count_text(memory_bytes / 4 / pair_bytes)),
              "make more parts, or raise --memory or the threshold");
}

std::optional<PartVerdicts> read_parts(const std::string& folder, const PartSubject& subject,
                                       std::uint64_t memory_bytes) {
  const std::vector<std::string> paths = parts_in(folder);
  std::uint64_t bytes = 0;
  for (const std::string& path : paths) bytes += File(path).size();
  if (bytes > memory_bytes / 4) return std::nullopt;
  PartVerdicts all;
  std::vector<Part> parts;  // with their buckets alone
  for (const std::string& path : paths) {
    Part& part = parts.emplace_back(read_part(path));
    expect_one_subject(part, parts.front(), subject);
    append(all.columns, part.verdicts.columns);
    append(all.overlaps, part.verdicts.overlaps);
    append(all.pairs, part.verdicts.pairs);
    append(all.far_pairs, part.verdicts.far_pairs);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.part.index < b.part.index; });
  expect_all(folder, parts);
  for (Part& part : parts) {
    Buckets& some = part.verdicts.buckets;
    const std::uint64_t members = all.buckets.members.size();
    for (std::size_t i = 1; i < some.starts.size(); ++i) {
      all.buckets.starts.push_back(members + some.starts[i]);
    }
    append(all.buckets.members, some.members);
  }
  return all;
}

}  // namespace sosie

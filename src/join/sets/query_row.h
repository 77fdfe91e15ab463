#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mix64.h"
#include "corpus/corpus.h"
#include "corpus/row_parsers.h"
#include "join/sets/indexed_sets.h"
#include "read/row_feed.h"
#include "represent/text_shingler.h"
#include "sketch/minhash.h"

namespace sosie {

// A row of a stream, with its name and the data needed for looking it up.
struct QueryRow {
  RowState state = RowState::normal;
  std::string id;
  bool id_is_integer = false;
  std::vector<std::string> shown;  // the fields of --show
  std::uint64_t tokens = 0;
  Hash128 hash;                    // hash of the text; 0 unless normal
  std::vector<std::uint64_t> set;  // ascending; empty unless normal
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> filter;
  // The reason why a row is unreadable, and the physical line of the fault.
  std::string reason;
  std::uint64_t trouble_line = 0;

  // The fault in a row whose text is invalid in its encoding; the row is looked up nevertheless.
  std::string encoding_fault;

  [[nodiscard]] bool is_bad() const noexcept { return !reason.empty(); }
  [[nodiscard]] SketchedSet sketched() const noexcept { return {set, keys, filter}; }
};

// Everything that a worker needs to turn the bytes of a row into its set.
class QueryRowReader {
 public:
  // `inputs`: the inputs of the stream. `banding`: the plan of the sketches if any are needed.
  QueryRowReader(const Inputs& inputs, const Settings& settings,
                 const std::optional<BandingPlan>& banding);

  // `number`: number of the row in the stream.
  void read(const FedRow& row, std::uint64_t number, QueryRow& out);
  // The item of the row that was read last, in the form from which shingles are cut.
  [[nodiscard]] std::string_view text() const noexcept { return record_.text; }

 private:
  void name(std::uint64_t number, QueryRow& out) const;
  [[nodiscard]] bool take_ill_formed(const FedRow& row, QueryRow& out) const;
  void represent(QueryRow& out);

  const Inputs& inputs_;
  const Settings& settings_;
  std::optional<BandingPlan> banding_;
  TextShingler shingler_;
  std::optional<MinHasher> hasher_;
  RowParsers parsers_;
  Record record_;
  std::vector<std::uint32_t> signature_;
  std::vector<std::uint64_t> scratch_;
};

}  // namespace sosie

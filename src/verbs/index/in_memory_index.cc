// Code shared by indexes of vectors and of bit strings.
#include "verbs/index/in_memory_index.h"

#include "data/kinds.h"
#include "options/bounds.h"
#include "options/vector_settings.h"

namespace sosie {

Options options_of_index(const Options& options) {
  Options chosen = options;
  const bool bounded = is_given(options, "threshold") || !options.within.empty();
  if (wants_lists(options)) {
    chosen.method = Method::exact;  // the chosen lists are searched completely
  } else if (options.method == Method::lsh) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"method", "lsh"},
                fmt::format("an index of {}{} finds every pair, without hashing",
                            kind_name(options.kind), bounded ? " with a bound" : ""));
  }
  chosen.top = bounded ? 0 : 1;
  return chosen;
}

std::unique_ptr<IndexState> index_of_items(const Options& options) {
  if (options.kind == kVectorItems) return index_of_vectors(options);
  return options.kind == kBitItems ? index_of_bits(options) : index_of_strings(options);
}

void refuse_row(std::uint64_t row, const std::string& reason) {
  throw Error(ErrorKind::malformed_input, BadPlace{fmt::format("row {}", row)}, reason);
}

void refuse_array(KindBit kind) {
  throw Error(ErrorKind::malformed_input, fmt::format("the rows are not {}", kind_name(kind)));
}

}  // namespace sosie

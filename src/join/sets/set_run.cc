// Stages shared by all verbs on texts and sets.
#include "join/sets/set_run.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <fstream>
#include <limits>
#include <mutex>
#include <numeric>

#include "core/count_text.h"
#include "core/freed_memory.h"
#include "core/size_text.h"
#include "corpus/asked_fields.h"
#include "corpus/count_inputs.h"
#include "corpus/first_ids.h"
#include "corpus/rank_rows.h"
#include "corpus/rows/common_elements.h"
#include "corpus/rows_at_hand.h"
#include "corpus/scan.h"
#include "data/kinds.h"
#include "join/sets/templates.h"
#include "options/output_options.h"
#include "options/tells.h"
#include "sosie/error.h"

namespace sosie {
namespace {

// True if lsh would compare so many pairs that it is no better than comparing all of them.
bool meets_too_many(const MethodChoice& choice) noexcept {
  constexpr double kMany = 4e6;
  constexpr double kLargePart = 0.01;
  return choice.false_candidates >= kMany && choice.false_part >= kLargePart;
}

// For each ranked position, the first position whose text has the same hash; kNoPlace for the first
// one itself.
std::vector<Place> leaders_by_hash(const Corpus& corpus, const std::vector<RowId>& ranked) {
  const std::vector<Hash128>& hashes = corpus.blocks.front().text_hashes;
  std::vector<std::pair<std::uint64_t, Place>> order(ranked.size());
  for (Place i = 0; i < order.size(); ++i) order[i] = {hashes[ranked[i]].low, i};
  std::sort(order.begin(), order.end());
  std::vector<Place> leader_of(ranked.size(), kNoPlace);
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i].first != order[i - 1].first) continue;
    const Place before = order[i - 1].second;
    const Place leader = leader_of[before] == kNoPlace ? before : leader_of[before];
    const Place place = order[i].second;
    if (hashes[ranked[place]] == hashes[ranked[leader]]) leader_of[place] = leader;
  }
  return leader_of;
}

}  // namespace

std::uint64_t peak_memory_bytes() {
  // Avoids getrusage() if possible, because its maximum includes the process that started this
  // one.
  std::ifstream status("/proc/self/status");
  constexpr std::string_view kPeak = "VmHWM:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kPeak)) return std::stoull(line.substr(kPeak.size())) * 1024;
  }
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<std::uint64_t>(usage.ru_maxrss);
#else
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
#endif
}

void check_outputs(const Inputs& inputs, const Options& request,
                   std::optional<int> result_descriptor) {
  std::vector<std::string> paths = inputs.other_paths;
  for (const InputFile& input : inputs.list) paths.push_back(input.path);
  check_outputs(paths, request, result_descriptor);
}

std::optional<int> result_of(const Options& options, const RunHooks& hooks) {
  const bool taken = hooks.pairs != nullptr || hooks.decisions != nullptr;
  if (!options.output.empty() || options.dry_run || taken) return std::nullopt;
  return hooks.result_descriptor;
}

std::uint64_t short_text_limit(const ShingleRecipe& recipe, const Rational& threshold) {
  // One replaced word changes at most `touched` of n shingles, and J = (n - touched)/(n + touched).
  constexpr std::uint64_t kWordCharacters = 5;  // characters of a common word, for character
                                                // shingles
  if (threshold.num == threshold.den || recipe.unit == ShingleUnit::stopwords ||
      recipe.unit == ShingleUnit::elements) {
    return 0;
  }
  const auto size = static_cast<std::uint64_t>(recipe.size);
  const std::uint64_t touched =
      recipe.unit == ShingleUnit::words ? size : size + kWordCharacters - 1;
  const std::uint64_t above = threshold.den + threshold.num;
  const std::uint64_t below = threshold.den - threshold.num;
  const std::uint64_t shingles = (touched * above + below - 1) / below;
  return shingles + size - 1;
}

std::uint64_t short_text_limit(const Settings& settings) {
  if (settings.measure->distance != "jaccard" || settings.lowers_threshold) return 0;
  return short_text_limit(settings.shingle, settings.threshold);
}

SetRun::SetRun(VerbBit run_verb, const Options& run_options, const RunHooks& run_hooks)
    : options(run_options),
      hooks(run_hooks),
      verb(run_verb),
      settings(resolve(run_options)),
      pool(settings.threads, run_hooks.cancel),
      scratch(std::make_unique<Scratch>(settings.scratch, settings.scratch_limit_bytes)),
      checkpoint(open_checkpoint(run_options)),
      inputs(open_inputs(run_options, settings, *scratch, pool, run_hooks)) {
  // The fields of sketches were checked when the sketches were made.
  if (!options.sketches) require_asked_fields(inputs, settings, pool);
  if (checkpoint) checkpoint->expect_apart(inputs);
  if (!options.sketches && settings.bad_rows == BadRows::stop) check_first_ids(inputs, pool);
}

// Sketches do not contain the shingles, so none can be left out.
void SetRun::leave_common_out() {
  if (!settings.ignore_common) return;
  if (options.sketches || options.against_sketches) {
    throw Error(ErrorKind::invalid_option, RefusedOption{"ignore-common"},
                "cannot be combined with sketches: they are made from all shingles",
                "compare the rows themselves");
  }
  settings.shingle.common = find_common_elements(inputs, settings, *scratch, pool, hooks);
}

void SetRun::prepare() {
  leave_common_out();
  if (options.reuse.empty()) short_limit_ = short_text_limit(settings);
  read_parts();
  choose_method();
  if (hooks.on_progress) hooks.on_progress({"indexing", 0, 0});
  if (corpus.spilled && choice.cascade) refuse_sets_of_cascade();
  if (parts_) take_parts();
  if (corpus.spilled) {
    if (options.audit > 0) {
      throw Error(ErrorKind::limit_exceeded, RefusedOption{"audit"},
                  fmt::format("{} rows do not fit in --memory", corpus.rows),
                  "--audit needs all rows in memory: raise --memory, or audit a part");
    }
    const RunTools tools{*scratch, pool, hooks};
    if (choice.exact && !has_batches()) {
      RecordFile buckets(*scratch, sizeof(std::uint64_t), kLargePage);
      copies_ = find_copies(inputs, corpus, settings, tools, buckets);
      row_join_ = join_of_rows(*copies_);
      row_counts_.emplace();
      return;
    }
    JoinRows join;
    if (choice.exact) {
      choice.banding = kBandOfTextHashes;
      join = [this](const SpilledCopies& copies, const auto& add) { join_rows(copies, add); };
    }
    batches_ = std::make_unique<Batches>(inputs, corpus, settings, choice.banding, tools, join);
    return;
  }
  collapse();
  if (choice.cascade) {
    cascade = std::make_unique<CascadeJoin>(corpus, items, settings, pool);
    foretell_cascade();
  } else if (choice.exact) {
    exact = std::make_unique<ExactJoin>(corpus, items, settings, *scratch, pool);
    tell_of_ranges(exact->ranges());
  } else if (options.reuse.empty()) {
    make_matcher({});
  }
}

PartRows SetRun::prepare_part(const MatchPart& part) {
  leave_common_out();
  choice = scan_and_choose_method({verb, options, settings, inputs}, pool, hooks.cancel);
  PartRows rows =
      read_part_rows(*options.sketches, settings, choice.banding,
                     PartKeys(part, static_cast<std::size_t>(choice.banding.bands)), pool);
  corpus = std::move(rows.corpus);
  const std::vector<RowId> ranked = rank_rows(corpus, settings);
  items = collapse_under_leaders(corpus, ranked, leaders_by_hash(corpus, ranked));
  make_matcher({});
  return rows;
}

// If the parts do not fit in memory, this run does all of the work.
void SetRun::read_parts() {
  if (options.parts.empty()) return;
  parts_ = sosie::read_parts(options.parts, subject_of(*options.sketches), settings.memory_bytes);
  if (!parts_) tell_of_memory("parts");
}

void SetRun::tell_of_memory(std::string_view what) const {
  if (!tells(options, hooks)) return;
  hooks.on_message(fmt::format(
      "--parts {}: {} do not fit in --memory, so all rows are matched again", options.parts, what));
}

void SetRun::take_parts() {
  const auto bands = static_cast<std::size_t>(choice.banding.bands);
  const std::vector<ColumnHash> hashes = hashes_of_columns(column_hashes_, bands);
  const auto holds_all = [](const std::vector<ColumnHash>& all, const auto& some) {
    return std::all_of(some.begin(), some.end(), [&](const ColumnHash& column) {
      return std::find(all.begin(), all.end(), column) != all.end();
    });
  };
  const std::size_t drawn = hashes.front().hash % bands;
  if (!holds_all(hashes, parts_->columns) || !holds_all(parts_->columns, hashes) ||
      !holds_buckets(parts_->buckets, *options.sketches, drawn, pool)) {
    throw Error(ErrorKind::malformed_input,
                options.parts + ": the parts were made from different data than the sketches",
                "recreate the parts");
  }
  corpus.shared = std::move(parts_->buckets);
  of_parts_ = std::move(parts_->overlaps);
  parts_.reset();
}

// Equal texts form one item, whichever of its rows a part has compared.
std::vector<SavedOverlap> SetRun::overlaps_of_items(std::vector<SavedOverlap> of_rows) const {
  const auto item_row = [&](RowId row) -> RowId {
    const Place place = items.place_of[row];
    return place == kNoPlace ? kNoRow : items.rows[place];
  };
  for (SavedOverlap& pair : of_rows) {
    pair.left = item_row(pair.left);
    pair.right = item_row(pair.right);
    if (pair.left <= pair.right) continue;
    std::swap(pair.left, pair.right);
    if (pair.overlap != Overlap{}) pair.overlap = pair.overlap.flipped();
  }
  std::erase_if(of_rows, [](const SavedOverlap& pair) {
    return pair.left == pair.right || pair.right == kNoRow;
  });
  sort_overlaps(of_rows);
  return of_rows;
}

bool SetRun::has_batches() const noexcept {
  return options.contained.empty() && !settings.measure->is_ordered() && !settings.lowers_threshold;
}

std::unique_ptr<PartitionedJoin> SetRun::join_of_rows(const SpilledCopies& copies) {
  const SetsInScratch from{*corpus.spilled_sets,
                           [&](RowId row) { return copies.is_copy(row) ? kNoPlace : row; },
                           row_id(corpus.first_own_row)};
  auto join = std::make_unique<PartitionedJoin>(from, settings, *scratch, pool);
  corpus.spilled_sets.reset();
  tell_of_ranges(join->ranges());
  return join;
}

void SetRun::tell_of_ranges(std::size_t ranges) const {
  constexpr std::size_t kFew = 8;
  if (ranges <= kFew || !tells(options, hooks)) return;
  hooks.on_message(
      fmt::format("the sets do not fit in --memory {}: they are split into {} ranges, each joined "
                  "with every other; more --memory is faster",
                  limit_text(settings.memory_bytes), count_text(ranges)));
}

void SetRun::join_rows(const SpilledCopies& copies, const AddRowPair& add) {
  const std::unique_ptr<PartitionedJoin> join = join_of_rows(copies);
  const RowId others = row_id(corpus.first_own_row);
  PairScope scope{.right_begin = others};
  if (use_of(verb) == JoinUse::every_pair && inputs.has_against()) scope.left_end = others;
  std::mutex adding;
  row_counts_.emplace();
  join->join(
      scope,
      [&](std::span<const VerifiedPair> pairs) {
        const std::lock_guard lock(adding);
        for (const VerifiedPair& pair : pairs) add(pair.left, pair.right);
      },
      [this](std::size_t done) {
        if (hooks.on_progress) hooks.on_progress({"indexing", done, corpus.rows});
      },
      *row_counts_);
}

void SetRun::make_matcher(std::vector<RowNumber> rows) {
  matcher = std::make_unique<Matcher>(inputs, corpus, items, settings, choice, pool);
  if (!choice.brute) {  // which reads all rows in order
    RowsAtHand at_hand(inputs);
    if (at_hand.is_needed()) {
      for (const Place item : matcher->buckets().members) {
        at_hand.add(corpus.locator(items.rows[item]));
      }
      at_hand.keep(pool, hooks);
    }
  }
  if (has_checkpoint()) {
    known_ = batches_ ? std::make_unique<OverlapCache>(checkpoint->overlaps(), std::move(rows))
                      : std::make_unique<OverlapCache>(checkpoint->overlaps(), row_id(corpus.rows));
  } else if (!of_parts_.empty()) {
    known_ = std::make_unique<OverlapCache>(options.parts, overlaps_of_items(std::move(of_parts_)));
  } else {
    return;
  }
  matcher->ask(*known_);
}

// Warns if a cascade has to compare more pairs than there are.
void SetRun::foretell_cascade() const {
  if (!tells(options, hooks) || verb == kPlan) return;
  const std::string dear = cost_warning(cascade->forecast(scope()));
  if (!dear.empty()) hooks.on_message("--construct " + options.construct + ": " + dear);
}

void SetRun::collapse() {
  items = collapse_identical(inputs, corpus, settings, rank_rows(corpus, settings), pool, hooks);
  for (ScannedBlock& block : corpus.blocks) {
    std::vector<Hash128>().swap(block.text_hashes);
    if (!options.reuse.empty()) continue;  // groups of a file choose their survivors by them
    std::vector<RankValue>().swap(block.rank_values);
    std::vector<std::uint32_t>().swap(block.text_bytes);
  }
  if (corpus.spilled_sets) give_back_freed_memory();
}

void SetRun::look_for_templates() {
  if (options.kind == kTextItems) {
    add_templates({inputs, corpus, items, settings, *matcher}, templates_);
  }
}

void SetRun::match(const RowsOfBatch& rows, RowId others, Order order,
                   const std::function<void()>& each) {
  // The matching has its own rows, items and matcher, which are freed when it ends, even by an
  // error.
  struct Whole {
    explicit Whole(SetRun& of) : run(of), corpus(std::move(of.corpus)) {}
    Whole(const Whole&) = delete;
    Whole& operator=(const Whole&) = delete;
    ~Whole() {
      run.matcher.reset();
      run.items = Items{};
      run.corpus = std::move(corpus);
    }
    SetRun& run;
    Corpus corpus;
  } const whole(*this);
  corpus = batches_->load(rows, others);
  corpus.in_rank_order = order == Order::rank;
  collapse();
  make_matcher({rows.rows.begin(), rows.rows.end()});
  each();
  look_for_templates();
  batch_candidates_ += matcher->candidate_count();
  batch_verified_ += matcher->verified_count();
}

void SetRun::for_each_batch(const std::function<void(std::span<const RowNumber>)>& each) {
  for (std::uint32_t i = 0; i < batches_->size(); ++i) {
    if (batches_->is_too_large(i)) continue;
    const std::vector<RowNumber> rows = batches_->rows_of(i);
    match({i, rows}, batches_->count_others(rows), Order::input, [&] { each(rows); });
  }
}

void SetRun::for_each_large_batch(const EachLargeBatch& each) const {
  for (std::uint32_t i = 0; i < batches_->size(); ++i) {
    if (batches_->is_too_large(i)) each(i, batches_->rows_of(i));
  }
}

void SetRun::choose_method() {
  const std::unique_ptr<SmallSide> small_side =
      read_small_side(verb, options, settings, inputs, {*scratch, pool, hooks});
  choice = scan_and_choose_method({verb, options, settings, inputs, small_side.get()}, pool,
                                  hooks.cancel);
  if (tells(options, hooks) && meets_too_many(choice)) {
    hooks.on_message(fmt::format(
        "--method lsh: about {} pairs below the threshold, {:.0f} % of all, share a band, because "
        "so many rows are nearly as similar as {}; --method auto or exact may be much faster",
        count_text(static_cast<std::uint64_t>(choice.false_candidates)), 100 * choice.false_part,
        options.threshold));
  }
  corpus = read_rows(small_side.get());
  if (corpus.lacks_keys) {
    tell_of_memory("rows");
    parts_.reset();
    corpus = Corpus{};
    std::vector<ColumnsOfBlock>().swap(column_hashes_);
    give_back_freed_memory();
    corpus = read_rows(small_side.get());
  }
  const bool open = is_method_open(options, settings) && choice.exact;
  const bool has_most = choice.most_elements < std::numeric_limits<std::uint64_t>::max();
  const bool too_many =
      corpus.has_too_many_elements || (!small_side && corpus.rows > kMostRowsOfAuto);
  if (open && has_most && too_many) {  // for a method that was taken for fewer
    choice = {.banding = banding_for(options, settings, inputs, hooks.cancel)};
    corpus = read_rows(small_side.get());
  }
  if (checkpoint && !has_checkpoint() && tells(options, hooks)) {
    hooks.on_message(fmt::format("--checkpoint: method {} cannot save progress", choice.name()));
  }
  check_unique_ids(inputs, corpus, pool);
  if (options.reuse.empty() && !looks_up_ids) {  // its ids are still to be looked up
    for (ScannedBlock& block : corpus.blocks) std::vector<std::uint64_t>().swap(block.id_hashes);
  }
  if (corpus.spilled_sets) give_back_freed_memory();
}

Corpus SetRun::read_rows(const SmallSide* small_side) {
  ScanRequest request;
  request.short_below = short_limit_;
  request.may_spill = may_spill;
  request.any_number = verb != kExplain && options.audit == 0;
  request.keep_sets = choice.exact || choice.cascade;
  if (request.keep_sets) request.most_rows = most_rows_of_join(settings);
  request.sketches = options.sketches.get();
  if (parts_) request.column_hashes = &column_hashes_;
  request.against_sketches = options.against_sketches.get();
  if (choice.exact && is_method_open(options, settings)) {
    request.most_elements = choice.most_elements;
  }
  if (choice.uses_banding()) {
    request.banding = choice.banding;
    begin_checkpoint();
    request.checkpoint = checkpoint.get();
  }
  if (choice.exact && small_side) {
    request.partners = small_side->elements.get();
    request.with_partners = small_side->larger;
  }
  Corpus read = scan(inputs, settings, request, *scratch, pool, hooks);
  read.keeps_partners_only = request.partners != nullptr && !read.spilled && !read.spilled_sets;
  return read;
}

void SetRun::begin_checkpoint() {
  if (!checkpoint) return;
  checkpoint->begin(checkpoint_contents(options, settings, inputs, choice.banding), inputs,
                    settings.bad_rows);
  if (checkpoint->known_part() > 0 && tells(options, hooks)) {
    hooks.on_message(fmt::format("resuming from {}: {:.0f} % of the input has already been read",
                                 options.checkpoint, 100 * checkpoint->known_part()));
  }
}

std::string SetRun::keep_progress() const {
  if (!has_checkpoint()) return {};
  checkpoint->overlaps().flush();
  checkpoint->flush();
  return checkpoint->holds_rows() ? options.checkpoint : std::string{};
}

std::function<void(std::size_t)> SetRun::progress(std::string_view stage) const {
  return [this, stage](std::size_t done) {
    const RowNumber all = joins_rows() ? corpus.rows : items.size();
    if (hooks.on_progress) hooks.on_progress({stage, done, all});
  };
}

void SetRun::measure(RunSummary& summary) const {
  summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  summary.peak_bytes = peak_memory_bytes();
}

RunSummary summary_of_asked(VerbBit verb, const Options& options, const Settings& settings,
                            const MethodChoice& choice, unsigned threads) {
  RunSummary summary;
  summary.verb = verb;
  summary.removes_holders = !options.contained.empty();
  summary.measure = options.measure;
  summary.threshold = options.threshold;
  if (settings.lowers_threshold && options.top > 0) {
    summary.threshold.clear();
  } else if (settings.lowers_threshold) {
    summary.threshold = fmt::format("{}/{}", settings.threshold.num, settings.threshold.den);
    summary.lowered = true;
  }
  summary.kind = options.kind;
  summary.shingle = options.shingle;
  summary.ignore_common = options.ignore_common;
  summary.tokens = options.tokens;
  summary.recall = options.recall;
  summary.seed = settings.seed;
  summary.threads = threads;
  summary.method.method = choice.method();
  if (!options.reuse.empty()) summary.method.reused = options.reuse.front();
  if (choice.cascade) {
    const SetCascade& cascade = *settings.cascade;
    summary.method.line = cascade_text(cascade);
    summary.method.construct = construction_text(construction_of(cascade.shape));
    summary.method.family = cascade.family->name;
    summary.method.squares = cascade.squares;
    summary.method.bands = cascade.shape.bands;
    summary.method.rows = cascade.shape.rows;
    summary.method.expected_recall = recall_at_threshold(settings);
  } else if (!choice.finds_every_pair()) {
    summary.method.bands = choice.banding.bands;
    summary.method.rows = choice.banding.rows;
    summary.method.components = choice.banding.components;
    summary.method.filter_agreements = choice.banding.filter_agreements;
    summary.method.expected_recall =
        forecast(choice.banding, settings.threshold, SampleFacts{}).recall_at_threshold;
  }
  return summary;
}

RunSummary SetRun::summarize() {
  RunSummary summary = summary_of_asked(verb, options, settings, choice, pool.size());
  count_inputs(inputs, corpus, summary);
  summary.short_limit = short_limit_;
  summary.candidates = matcher ? matcher->candidate_count() : batch_candidates_;
  summary.verified = matcher ? matcher->verified_count() : batch_verified_;
  if (matcher) look_for_templates();
  summary.templates = templates_;
  if (has_checkpoint()) checkpoint->overlaps().flush();
  if (cascade) {
    summary.candidates = cascade->candidates();
    summary.verified = summary.candidates;
  }
  if (row_counts_) {
    summary.join = row_counts_;
    summary.candidates = row_counts_->length;
    summary.verified = row_counts_->verified;
  }
  if (exact) {
    summary.join = exact->counts();
    summary.candidates = summary.join->length + top_counts_.candidates;
    summary.verified = summary.join->verified + top_counts_.verified;
  }
  if (settings.shingle.common) summary.left_out = settings.shingle.common->size();
  measure(summary);
  summary.scratch_bytes = scratch->peak_bytes();
  return summary;
}

}  // namespace sosie

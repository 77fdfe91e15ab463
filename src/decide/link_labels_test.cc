// Tests of valid and invalid files of labels and decisions.
#include "decide/link_labels.h"

#include <gtest/gtest.h>

#include <memory>

#include "options/formats.h"
#include "sosie/error.h"

namespace sosie {
namespace {

ItemIds ids_called(std::vector<std::string> names) {
  ItemIds ids;
  ids.are_integers.assign(names.size(), false);
  ids.names = std::move(names);
  return ids;
}

const ItemIds kLeftIds = ids_called({"a", "b", "c", "d"});
const ItemIds kRightIds = ids_called({"x", "y"});
const NamedRecords kOneCollection = {kLeftIds, nullptr, 4, 0};
const NamedRecords kTwoCollections = {kLeftIds, &kRightIds, 4, 2};

// Reads a CSV text with `read`.
template <typename Read>
auto read_text(const std::string& content, const Read& read) {
  const auto text = std::make_shared<std::string>(content);
  const File file = File::in_memory("l.csv", memory_file_of({{text->data(), text->size()}}, text));
  TableReader table(file, "l.csv", *format_by_name("csv"));
  return read(table);
}

LinkLabels labels_in(const std::string& content, const NamedRecords& records = kOneCollection) {
  return read_text(content,
                   [&](TableReader& table) { return read_labels(table, records, nullptr); });
}

LinkDecisions decisions_in(const std::string& content,
                           const NamedRecords& records = kOneCollection) {
  return read_text(
      content, [&](TableReader& table) { return read_link_decisions(table, records, nullptr); });
}

std::string refusal_of_labels(const std::string& content,
                              const NamedRecords& records = kOneCollection) {
  try {
    static_cast<void>(labels_in(content, records));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::malformed_input);
    return error.what();
  }
  return {};
}

TEST(LinkLabels, AreSortedPairsInEitherOrder) {
  const LinkLabels labels = labels_in("left,right,label\nd,a,0\na,b,1\nb,a,1\nc,d,\n");
  ASSERT_EQ(labels.pairs.size(), 2U);
  EXPECT_EQ(labels.pairs[0].pair, (RecordPair{0, 1}));
  EXPECT_TRUE(labels.pairs[0].is_match);
  EXPECT_EQ(labels.pairs[1].pair, (RecordPair{0, 3}));
  EXPECT_EQ(labels.matches, 1U);
  EXPECT_EQ(labels.open, 1U);
  EXPECT_TRUE(labels.are_of_both_kinds());
}

TEST(LinkLabels, NumberRightRecordsBehindLeftOnes) {
  const LinkLabels labels = labels_in("left,right,label\nb,y,true\n", kTwoCollections);
  ASSERT_EQ(labels.pairs.size(), 1U);
  EXPECT_EQ(labels.pairs[0].pair, (RecordPair{1, 5}));
  EXPECT_FALSE(labels.are_of_both_kinds());
}

TEST(LinkLabels, RefuseWhatCannotBeMeantAndNameTheLine) {
  const auto says = [](const std::string& refusal, std::string_view part) {
    return refusal.find(part) != std::string::npos;
  };
  EXPECT_TRUE(says(refusal_of_labels("left,right,label\na,b,1\na,z,1\n"), "row 2"));
  EXPECT_TRUE(says(refusal_of_labels("left,right,label\na,b,1\nx,y,0\n"), "'x'"));
  EXPECT_TRUE(says(refusal_of_labels("left,right,label\nb,b,1\n"), "with itself"));
  EXPECT_TRUE(says(refusal_of_labels("left,right,label\na,b,2\n"), "label is '2'"));
  const std::string both = refusal_of_labels("left,right,label\na,b,1\nb,c,0\nb,a,0\n");
  EXPECT_TRUE(says(both, "row 3") && says(both, "row 1")) << both;
  EXPECT_TRUE(says(refusal_of_labels("left,right\na,b\n"), "label"));
  EXPECT_TRUE(says(refusal_of_labels("left,right,label\na,b,1\n", kTwoCollections), "--against"));
}

TEST(LinkLabels, CountPairsThatChainsOfMatchesContradict) {
  EXPECT_EQ(labels_in("left,right,label\na,b,1\nb,c,1\na,c,0\nc,d,0\n").against_chains, 1U);
  EXPECT_EQ(
      labels_in("left,right,label\na,x,1\nb,x,1\na,y,1\nb,y,0\n", kTwoCollections).against_chains,
      1U);
}

TEST(LinkDecisions, OfPairsAreAcceptedOrRejected) {
  const LinkDecisions some =
      decisions_in("left,right,decision\na,b,accepted\nc,d,rejected\na,d,\n");
  EXPECT_EQ(some.accepted, 1U);
  EXPECT_EQ(some.rejected, 1U);
  EXPECT_EQ(some.open, 1U);
  EXPECT_EQ(some.known.verdict({0, 1}), true);
  EXPECT_EQ(some.known.verdict({2, 3}), false);
  EXPECT_EQ(some.known.verdict({0, 3}), std::nullopt);
  EXPECT_EQ(decisions_in("left,right,score\na,b,9\n").known.verdict({0, 1}), true);
}

TEST(LinkDecisions, OfGroupsHoldTogetherAndKeepApart) {
  const LinkDecisions some = decisions_in("id,cluster_id,size\na,a,2\nb,a,2\nc,c,1\n");
  EXPECT_EQ(some.known.verdict({0, 1}), true);
  EXPECT_EQ(some.known.verdict({0, 2}), std::nullopt) << "a single record of link decides nothing";
  const LinkDecisions reviewed =
      decisions_in("id,cluster_id,kept,size\na,a,true,2\nb,a,false,2\nc,c,true,1\n");
  EXPECT_EQ(reviewed.known.verdict({0, 2}), false);
  EXPECT_EQ(reviewed.known.verdict({0, 3}), std::nullopt);
  EXPECT_EQ(reviewed.accepted, 2U);
  EXPECT_EQ(reviewed.rejected, 1U);
}

TEST(LinkDecisions, OfGroupsAreOpenWithoutAGroup) {
  const LinkDecisions some =
      decisions_in("id,cluster_id,kept\na,,true\nb,,true\nc,null,true\nd,d,true\n");
  EXPECT_EQ(some.open, 3U);
  EXPECT_EQ(some.accepted, 0U);
  EXPECT_EQ(some.rejected, 1U);
  EXPECT_EQ(some.known.verdict({0, 1}), std::nullopt);
  EXPECT_EQ(some.known.verdict({0, 3}), std::nullopt);
}

TEST(LinkDecisions, RefuseGroupsOfTwoCollectionsAndRecordsListedTwice) {
  EXPECT_THROW(static_cast<void>(decisions_in("id,cluster_id\na,a\n", kTwoCollections)), Error);
  EXPECT_THROW(static_cast<void>(decisions_in("id,cluster_id\na,a\na,b\n")), Error);
  EXPECT_THROW(static_cast<void>(decisions_in("x,y\n1,2\n")), Error);
}

TEST(LinkLabels, AreTakenAsTableProgramsWriteThem) {
  const LinkLabels labels =
      labels_in("left,right,label\na,b,1.0\nb,c, 0.0\nc,d, 1 \na,c,0\t\na,d,  \n");
  EXPECT_EQ(labels.pairs.size(), 4U);
  EXPECT_EQ(labels.matches, 2U);
  EXPECT_EQ(labels.open, 1U);
  EXPECT_EQ(refusal_of_labels("left,right,label\na,b,1.5\n").find("label is '1.5', not 1"), 7U);
}

TEST(LinkDecisions, SayTheWayOut) {
  for (const char* text : {"id,cluster_id\na,a\na,b\n", "left,right\na,a\n"}) {
    try {
      static_cast<void>(decisions_in(text));
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_FALSE(error.hint().empty()) << text;
    }
  }
}

TEST(LinkDecisions, WinOverLabels) {
  LinkDecisions decisions = decisions_in("left,right,decision\nc,d,rejected\n");
  const LinkLabels labels = labels_in("left,right,label\na,b,1\nc,d,1\n");
  EXPECT_EQ(add_labels(labels, decisions.known), 1U);
  EXPECT_EQ(decisions.known.verdict({2, 3}), false);
  EXPECT_EQ(decisions.known.verdict({0, 1}), true);
}

}  // namespace
}  // namespace sosie

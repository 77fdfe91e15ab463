// Tests of the fields of items and of the filter that uses them.
#include "store/index/kept_fields.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "sosie/error.h"

namespace sosie {
namespace {

IndexManifest keeping(const std::string& fields) {
  IndexManifest manifest;
  set_kept_fields(fields, manifest.contents);
  return manifest;
}

IndexItem item_with(const std::string& fields) {
  IndexItem item;
  item.fields = fields;
  return item;
}

RC_GTEST_PROP(FieldFilter, AcceptsWhatHasTheValue, ()) {
  const auto value =
      rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                     rc::gen::map(rc::gen::inRange<std::size_t>(0, 70'000),
                                  [](std::size_t size) { return std::string(size, 'x'); }));
  const std::vector<std::string> values{*value, *value, *value};
  const auto field = *rc::gen::inRange<std::size_t>(0, 3);
  const std::string wanted = *rc::gen::element(values[0], values[1], values[2], std::string("en"));
  const FieldFilter filter(std::string("abc").substr(field, 1) + "=" + wanted, keeping("a,b,c"),
                           "i");
  const std::string packed = pack_fields(values);
  RC_ASSERT(filter.accepts(item_with(packed)) == (values[field] == wanted));
}

RC_GTEST_PROP(FieldFilter, RefusesDamagedFields, ()) {
  const std::string packed = pack_fields(std::vector<std::string>{"one", "two"});
  const auto cut = *rc::gen::inRange<std::size_t>(0, packed.size());
  const std::string bytes = packed.substr(0, cut);
  const FieldFilter filter("b=two", keeping("a,b"), "i");
  RC_ASSERT_THROWS_AS((void)filter.accepts(item_with(bytes)), Error);
}

TEST(FieldFilter, RefusesASizeThatIsTooLarge) {
  const std::string bytes("\xFF\xFF\xFF\xFF\xFF\xFF", 6);
  EXPECT_THROW((void)FieldFilter("a=", keeping("a"), "i").accepts(item_with(bytes)), Error);
}

TEST(FieldsOfItems, AreReadByNameInTheOrderAskedFor) {
  const std::string packed = pack_fields(std::vector<std::string>{"one", "", "three"});
  const FieldsOfItems fields({"show", "c,a,b"}, {"c", "a", "b"}, keeping("a,b,c"), "i");
  EXPECT_EQ(fields.value(item_with(packed), 0), "three");
  EXPECT_EQ(fields.value(item_with(packed), 1), "one");
  EXPECT_EQ(fields.value(item_with(packed), 2), "");
  EXPECT_THROW(FieldsOfItems({"show", "d"}, {"d"}, keeping("a,b,c"), "i"), Error);
  EXPECT_THROW((void)fields.value(item_with(packed.substr(0, 4)), 0), Error);
}

TEST(KeptFields, AreTheOnesOfTheIndex) {
  EXPECT_EQ(kept_fields(keeping("lang,year").contents), "lang,year");
  EXPECT_EQ(kept_fields(keeping("").contents), "");
  Options options;
  set_option(options, "fields", "lang");
  EXPECT_NO_THROW(expect_kept_fields(options, keeping("lang"), "i"));
  EXPECT_THROW(expect_kept_fields(options, keeping(""), "i"), Error);
  EXPECT_THROW(FieldFilter("lang=en", keeping(""), "i"), Error);
  EXPECT_EQ(fields_to_keep(options), "lang");
  EXPECT_THROW(set_option(options, "fields", "a,,b"), Error);
}

}  // namespace
}  // namespace sosie

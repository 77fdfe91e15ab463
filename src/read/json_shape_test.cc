// Tests inspecting JSON files: rows, arrays, objects that span several lines, broken rows.
#include "read/json_shape.h"

#include <gtest/gtest.h>

#include <string>

namespace sosie {
namespace {

// The shape of a whole file that is read in pieces of `size` bytes.
JsonShape shape_of(std::string_view text, std::size_t size = 1) {
  JsonLook look;
  for (std::size_t at = 0; at < text.size(); at += size) {
    if (look.add(text.substr(at, size))) return look.shape(false);
  }
  return look.shape(true);
}

TEST(JsonShapes, LinesAreRowsWhateverStandsInThem) {
  for (const char* text :
       {"", "\n \n", "{}\n{}\n", "{\"a\": \"}{\\\"\"}\n", " {\"a\": [{\"b\": []}]}",
        "\xEF\xBB\xBF{}\n", "\"text\"\n", "12\n", "null", "x"}) {
    EXPECT_EQ(shape_of(text), JsonShape::lines) << text;
    EXPECT_EQ(shape_of(text, 1000), JsonShape::lines) << text;
  }
}

TEST(JsonShapes, ArraysAndSpreadObjectsAreTold) {
  for (const char* text : {"[", "\n [{}]", "\xEF\xBB\xBF[1]"}) {
    EXPECT_EQ(shape_of(text), JsonShape::array) << text;
  }
  EXPECT_EQ(shape_of(std::string_view("\xFF\xFE[\0\n\0", 6)), JsonShape::array);
  for (const char* text : {"{\n}", "{\"a\":\n 1}\n", "{ \"a\": [\n{}, {\"b\": \"]\"}]}\n\n"}) {
    EXPECT_EQ(shape_of(text), JsonShape::object) << text;
    EXPECT_EQ(shape_of(std::string(text) + "{}"), JsonShape::many_objects) << text;
  }
  EXPECT_EQ(shape_of("{\n}\n{\n}"), JsonShape::many_objects);
  EXPECT_EQ(shape_of("{\n},\n{\n}"), JsonShape::many_objects);
}

TEST(JsonShapes, ObjectsWithoutEndAreTakenForMany) {
  JsonLook look;
  EXPECT_FALSE(look.add("{\"a\": [1,\n2,\n"));
  EXPECT_EQ(look.shape(false), JsonShape::many_objects);
  EXPECT_EQ(look.shape(true), JsonShape::object);
}

TEST(JsonShapes, BrokenRowsAreStillRows) {
  for (const char* text :
       {"{\"a\": \"x\n{\"b\": 1}\n", "{\"a\": {\"b\": 1\n{\"b\": 1}\n", "{} x\n"}) {
    EXPECT_EQ(shape_of(text), JsonShape::lines) << text;
  }
}

}  // namespace
}  // namespace sosie

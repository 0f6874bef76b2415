#include "errors.hpp"
#include "mesh/mesh_checks.hpp"
#include "pliant/mesh_file/xml_reader.hpp"

namespace pliant::xml_test {
namespace {

/// Everything in a text: "(name key=value ... children)".
std::string walk(XmlReader& xml) {
  std::string result;
  while (xml.child()) {
    result += "(" + std::string(xml.name());
    if (const auto value = xml.attribute("a")) result += " a=" + *value;
    if (xml.name() == "text") {
      const auto [text, place] = xml.content();
      result +=
          " " + std::string(text) + "@" + std::to_string(place.line) + ":" + std::to_string(place.column);
    } else {
      result += walk(xml);
    }
    result += ")";
  }
  return result;
}

std::string walked(std::string_view text) {
  XmlReader xml("a.xml", text);
  return walk(xml);
}

std::string complaint(std::string_view text) {
  return complaints_of([&] { walked(text); });
}

TEST(Xml, IsReadInAnyLayout) {
  EXPECT_EQ(walked("\xEF\xBB\xBF<?xml version='1.0'?><!DOCTYPE x>\n<!-- <no> --><x b='1'\n\ta = \"2\" "
                   ">\r\n<y/><z\n/></x >\n"),
            "(x a=2(y)(z))");
}

TEST(Xml, EntitiesInAttributesAreResolved) {
  EXPECT_EQ(walked("<x a='&lt;&amp;&gt;&quot;&apos;&#65;&#x42;&odd;&'/>"), "(x a=<&>\"'AB&odd;&)");
}

TEST(Xml, TextIsFoundWithItsPlaceBesideOtherElements) {
  EXPECT_EQ(walked("<text>\n  <key>7</key>\n 1 2\n</text>"), "(text \n 1 2\n@2:15)");
}

TEST(Xml, WhatIsWrittenIsReadBack) {
  const std::string odd = "a<b & \"c\" > 'd' &amp;";
  EXPECT_EQ(walked("<x a=\"" + xml_escaped(odd) + "\"/>"), "(x a=" + odd + ")");
}

TEST(XmlMistakes, AreNamedWithTheirPlace) {
  EXPECT_EQ(complaint("hello"), "a.xml:1:1: expected a tag, found 'hello'");
  EXPECT_EQ(complaint("<x>\n <y>"), "a.xml:2:2: the file ends inside <y>; is it cut off?");
  EXPECT_EQ(complaint("<x>\n</y>"), "a.xml:2:1: found </y> where </x> should be");
  EXPECT_EQ(complaint("<x a></x>"), "a.xml:1:1: attribute a of <x> has no value");
  EXPECT_EQ(complaint("<x a=1></x>"),
            "a.xml:1:1: the value of attribute a of <x> is not in quotes; is the file cut off?");
  EXPECT_EQ(complaint("<x></x></x>"), "a.xml:1:8: found </x> where the end of the file should be");
  EXPECT_EQ(complaint("<!-- x"), "a.xml:1:1: a comment does not end; is the file cut off?");
  EXPECT_EQ(complaint("<x><"), "a.xml:1:4: expected a name of a tag or attribute, found ''");
}

TEST(XmlMistakes, ManyOpenElementsAreNoTrouble) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "<x>";
  XmlReader xml("a.xml", text);
  ASSERT_TRUE(xml.child());
  EXPECT_ERROR(InputError, "the file ends inside <x>", xml.skip());
}

}  // namespace
}  // namespace pliant::xml_test

#include "pliant/view/container.hpp"

#include <cstring>

#include "errors.hpp"
#include "pliant/base/error.hpp"

namespace pliant::container_test {
namespace {

std::string sample() {
  static const std::vector<float> f32 = {1.5F, -2};
  static const std::vector<double> f64 = {0.1};
  static const std::vector<std::uint32_t> u32 = {7, 4'000'000'000U, 9};
  static const std::vector<std::uint16_t> u16 = {65535};
  static const std::vector<std::uint8_t> none;
  ContainerWriter writer;
  writer.add("a", std::span<const float>(f32));
  writer.add("b", std::span<const double>(f64));
  writer.add("c", std::span<const std::uint32_t>(u32));
  writer.add("d", std::span<const std::uint16_t>(u16));
  writer.add("none", std::span<const std::uint8_t>(none));
  writer.add("text", std::string_view("hello"));
  return writer.finish(R"({"frame": 3})");
}

TEST(Container, GivesBackWhatWasPutIn) {
  const std::string bytes = sample();
  const ContainerReader reader(bytes, "sample");
  EXPECT_EQ(reader.f32("a"), (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(reader.f64("b"), std::vector<double>{0.1});
  EXPECT_EQ(reader.u32("c"), (std::vector<std::uint32_t>{7, 4'000'000'000U, 9}));
  EXPECT_EQ(reader.u16("d"), std::vector<std::uint16_t>{65535});
  EXPECT_EQ(reader.u8("none"), "");
  EXPECT_EQ(reader.u8("text"), "hello");
  EXPECT_NE(reader.members().find("\"frame\":3"), std::string::npos);
}

TEST(Container, PutsEveryArrayAtAMultipleOfEight) {
  const std::string bytes = sample();
  std::uint32_t head[2];
  std::memcpy(head, bytes.data(), sizeof head);
  EXPECT_EQ(bytes.substr(0, 4), "PLNT");
  EXPECT_EQ(head[1] % 8, 0U);
  EXPECT_EQ(bytes.size() % 8, 0U);
}

TEST(Container, SaysThatAnArrayIsMissingOrOfAnotherType) {
  const std::string bytes = sample();
  const ContainerReader reader(bytes, "sample");
  EXPECT_TRUE(reader.has("a"));
  EXPECT_FALSE(reader.has("z"));
  EXPECT_ERROR(InputError, "there is no array z", reader.f32("z"));
  EXPECT_ERROR(InputError, "not u16", reader.u16("a"));
}

TEST(Container, RefusesOneThatIsCutOffAnywhere) {
  const std::string bytes = sample();
  // Of the last array five bytes count, and three fill up.
  for (size_t length = 0; length + 3 < bytes.size(); ++length)
    EXPECT_ERROR(InputError, "cut:", ContainerReader(bytes.substr(0, length), "cut")) << length;
}

TEST(Container, RefusesArraysOutsideOfItsBytes) {
  for (const std::string list :
       {R"([{"name":"a","type":"f32","offset":0,"count":3}])",
        R"([{"name":"a","type":"u8","offset":16,"count":0}])",
        R"([{"name":"a","type":"f64","offset":0,"count":4611686018427387904}])",
        R"([{"name":"a","type":"u8","offset":-8,"count":1}])",
        R"([{"name":"a","type":"u8","offset":4,"count":1}])",
        R"([{"name":"a","type":"f16","offset":0,"count":1}])", R"([{"name":"a"}])", R"([1])", R"(7)"}) {
    std::string json = "{\"arrays\":" + list + "}";
    json.resize((json.size() + 7) / 8 * 8, ' ');
    const std::uint32_t head[2] = {0x544E4C50, static_cast<std::uint32_t>(json.size())};
    const std::string bytes = std::string(reinterpret_cast<const char*>(head), 8) + json + "12345678";
    EXPECT_ERROR(InputError, "bad:", ContainerReader(bytes, "bad")) << list;
  }
}

}  // namespace
}  // namespace pliant::container_test

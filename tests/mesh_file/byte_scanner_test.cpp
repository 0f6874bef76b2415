#include "pliant/mesh_file/byte_scanner.hpp"

#include "mesh/surface_checks.hpp"

namespace pliant::byte_scanner_test {
namespace {

TEST(ByteScanner, ReadsNumbersOfBothByteOrders) {
  const std::string bytes("\x01\x02\x00\x00\x80\x3f", 6);
  ByteScanner little("a.bin", bytes, std::endian::little);
  EXPECT_EQ(little.read<std::uint16_t>("a number"), 0x0201);
  EXPECT_EQ(little.read<float>("a number"), 1.0f);
  EXPECT_TRUE(little.at_end());
  const std::string turned("\x01\x02\x3f\x80\x00\x00", 6);
  ByteScanner big("a.bin", turned, std::endian::big);
  EXPECT_EQ(big.read<std::uint16_t>("a number"), 0x0102);
  EXPECT_EQ(big.read<float>("a number"), 1.0f);
}

TEST(ByteScanner, NamesFileAndByteWhereTheDataEnd) {
  ByteScanner scanner("a.bin", "abcde", std::endian::little);
  scanner.skip(2, "two letters");
  EXPECT_TRUE(
      says(complaints_of([&] { scanner.read<double>("a mass"); }), {"a.bin: byte 2: a mass", "3 bytes"}));
  EXPECT_TRUE(says(complaints_of([&] { scanner.seek(6, "the rest"); }), {"the rest", "byte 6", "5 bytes"}));
}

TEST(ByteScanner, RefusesLengthsThatOverflow) {
  ByteScanner scanner("a.bin", "abcde", std::endian::little);
  scanner.skip(1, "a letter");
  EXPECT_NE(complaints_of([&] { scanner.take(~std::uint64_t{0}, "all"); }), "");
}

TEST(ByteScanner, RefusesCountsThatTheRestCannotHold) {
  const ByteScanner scanner("a.bin", "0123456789", std::endian::little);
  EXPECT_EQ(scanner.count(5, "pairs", 2), 5);
  EXPECT_TRUE(says(complaints_of([&] { scanner.count(6, "pairs", 2); }), {"a.bin: byte 0", "6 pairs"}));
  EXPECT_NE(complaints_of([&] { scanner.count(std::uint64_t{1} << 60, "pairs", 2); }), "");
}

}  // namespace
}  // namespace pliant::byte_scanner_test

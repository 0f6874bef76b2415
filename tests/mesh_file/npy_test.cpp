#include "pliant/mesh_file/npy.hpp"

#include "mesh/mesh_checks.hpp"
#include "pliant/base/files.hpp"

namespace pliant::npy_test {
namespace {

const std::vector<float> kValues{1.5f, -2, 3e-45f, 0, 3.4028235e38f, 0.1f};

std::string complaint(const std::string& bytes) {
  return complaints_of([&] { parse_npy(bytes, "a.npy"); });
}

TEST(Npy, RoundTripsThroughAFile) {
  const ScratchFolder folder;
  write_file_atomically(folder / "a.npy", npy_bytes(kValues, 2, 3));
  const NpyArray array = read_npy(folder / "a.npy");
  EXPECT_EQ(array.values, kValues);
  EXPECT_EQ(array.rows, 2);
  EXPECT_EQ(array.columns, 3);
}

TEST(Npy, RoundTripsATableWithoutRows) {
  const NpyArray array = parse_npy(npy_bytes({}, 0, 3), "a.npy");
  EXPECT_TRUE(array.values.empty());
  EXPECT_EQ(array.columns, 3);
}

TEST(Npy, IsLaidOutAsNumPyDoes) {
  const std::string bytes = npy_bytes(kValues, 2, 3);
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  EXPECT_EQ(bytes.substr(10, header.size()), header);
  EXPECT_EQ(bytes.substr(10 + header.size(), 118 - header.size()),
            std::string(117 - header.size(), ' ') + '\n');
  EXPECT_EQ(bytes.size(), 128 + 6 * sizeof(float));
}

TEST(Npy, RefusesValuesThatDoNotFillTheTable) {
  EXPECT_EQ(complaints_of([] { npy_bytes(kValues, 3, 3); }), "6 values do not make a table of 3 x 3");
}

TEST(NpyDamage, OtherFilesAreRefused) {
  EXPECT_EQ(complaint("hello"), "a.npy: this is not a .npy file: it does not begin with \\x93NUMPY");
}

TEST(NpyDamage, ACutIsNoticedWhereverItIs) {
  const std::string bytes = npy_bytes(kValues, 2, 3);
  for (size_t length = 0; length < bytes.size(); ++length) EXPECT_NE(complaint(bytes.substr(0, length)), "");
}

TEST(NpyDamage, AShapeThatDoesNotFitTheSizeIsRefused) {
  EXPECT_EQ(complaint(with(npy_bytes(kValues, 2, 3), "(2, 3)", "(3, 3)")),
            "a.npy: this .npy file states 3 x 3 numbers of 4 bytes, but 24 bytes follow; is it cut off?");
}

TEST(NpyDamage, AShapeThatOverflowsIsRefused) {
  EXPECT_NE(complaint(with(npy_bytes(kValues, 2, 3), "(2, 3), }            ", "(4611686018427387904, 4)}")),
            "");
  EXPECT_NE(complaint(with(npy_bytes(kValues, 2, 3), "(2, 3), }             ", "(99999999999999999999, 4)}")),
            "");
}

TEST(NpyDamage, OtherKindsOfNumbersAreRefused) {
  EXPECT_EQ(complaint(with(npy_bytes(kValues, 2, 3), "<f4", "<f8")),
            "a.npy: this .npy file does not hold '<f4' (float32) numbers");
}

TEST(NpyDamage, FortranOrderIsRefused) {
  EXPECT_EQ(complaint(with(npy_bytes(kValues, 2, 3), "False", "True ")),
            "a.npy: this .npy file is not in C order");
}

TEST(NpyDamage, ArraysOfOneDimensionAreRefused) {
  EXPECT_NE(complaint(with(npy_bytes(kValues, 2, 3), "(2, 3)", "(6,  )")), "");
}

}  // namespace
}  // namespace pliant::npy_test

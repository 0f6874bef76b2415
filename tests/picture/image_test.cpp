#include "pliant/picture/image.hpp"

#include "errors.hpp"
#include "pliant/base/error.hpp"
#include "pliant/picture/montage.hpp"
#include "pliant/picture/png.hpp"

namespace pliant::image_test {

namespace {

int big_endian(const std::string& bytes, size_t at) {
  int value = 0;
  for (size_t i = 0; i < 4; ++i) value = 256 * value + static_cast<unsigned char>(bytes.at(at + i));
  return value;
}

}  // namespace

TEST(Image, KeepsAColorThroughLinearLight) {
  const Color color = {128 / 255.0, 64 / 255.0, 191 / 255.0};
  Image image(1, 1);
  image.set_light(0, 0, to_linear(color));
  EXPECT_EQ(image.bytes(), (std::vector<std::uint8_t>{128, 64, 191}));
}

TEST(Image, KeepsBrightLightApartWithoutOverflow) {
  Image image(1, 1);
  image.set_light(0, 0, {0.9F, 1.2F, 1000.0F});
  const std::uint8_t* pixel = image.pixel(0, 0);
  EXPECT_LT(pixel[0], pixel[1]);
  EXPECT_LT(pixel[1], pixel[2]);
  EXPECT_EQ(pixel[2], 255);
}

TEST(Png, StartsWithSignatureAndHeader) {
  const std::string png = encode_png(Image(7, 5));
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(12, 4), "IHDR");
  EXPECT_EQ(big_endian(png, 16), 7);
  EXPECT_EQ(big_endian(png, 20), 5);
  EXPECT_EQ(png[24], 8);  // bits
  EXPECT_EQ(png[25], 2);  // red, green, blue
}

TEST(Png, DependsOnEveryPixel) {
  Image image(3, 2);
  const std::string before = encode_png(image);
  image.pixel(2, 1)[2] = 1;
  EXPECT_NE(encode_png(image), before);
}

TEST(Png, SaysSoWhenItCannotBeWritten) {
  EXPECT_ERROR(IoError, "cannot create",
               write_png(::testing::TempDir() + "no/such/folder/picture.png", Image(1, 1)));
}

TEST(Montage, PutsImagesInAGridWithGaps) {
  std::vector<Image> images;
  for (int i = 0; i < 5; ++i) images.emplace_back(10, 6, static_cast<std::uint8_t>(10 * i));
  const Image grid = montage(images, 3);
  EXPECT_EQ(grid.width(), 3 * 10 + 4 * 6);
  EXPECT_EQ(grid.height(), 2 * 6 + 3 * 6);
  EXPECT_EQ(grid.pixel(0, 0)[0], 255);
  EXPECT_EQ(grid.pixel(6 + 16 * 2, 6)[0], 20);           // third of the first row
  EXPECT_EQ(grid.pixel(6 + 16 + 9, 6 + 12 + 5)[0], 40);  // last pixel of the fifth
  EXPECT_EQ(grid.pixel(6 + 16 * 2, 6 + 12)[0], 255);     // no sixth
}

TEST(Montage, PicksColumnsOfItsOwn) {
  const std::vector<Image> images(5, Image(2, 2));
  EXPECT_EQ(montage(images).width(), 3 * 2 + 4 * 6);
}

TEST(Montage, OfNothingIsEmpty) { EXPECT_EQ(montage({}).width(), 0); }

}  // namespace pliant::image_test

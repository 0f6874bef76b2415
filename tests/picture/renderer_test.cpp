#include "pliant/picture/renderer.hpp"

#include <algorithm>

#include "picture/shapes.hpp"
#include "pliant/base/parallel.hpp"
#include "pliant/picture/lighting.hpp"

namespace pliant::renderer_test {

namespace {

constexpr double kRadius = 0.5;

/// A blue ball that touches the ground at the origin, seen from the front.
struct BallPicture {
  std::vector<Drawable> drawables = {{make_sphere(kRadius, {0, kRadius, 0}, 60), {0.2, 0.4, 0.9}}};
  RenderSettings settings;

  BallPicture() {
    settings.camera = {{0, 1.5, 6}, {0, kRadius, 0}, 30};
    settings.bounds = Bounds(Vec3(-kRadius, 0, -kRadius), Vec3(kRadius, 2 * kRadius, kRadius));
    settings.ground = 0;
    settings.width = 160;
    settings.height = 120;
  }

  Image take() const { return render(drawables, settings); }

  /// Sum of the channels where a point of space appears.
  int brightness(const Image& image, const Vec3& point) const {
    const Vec3 place = settings.camera.project(point);
    const int column = static_cast<int>(settings.width / 2.0 + place.x() * settings.height / 2.0);
    const int row = static_cast<int>(settings.height / 2.0 - place.y() * settings.height / 2.0);
    const std::uint8_t* pixel = image.pixel(column, row);
    return pixel[0] + pixel[1] + pixel[2];
  }
};

/// Along the ground, away from the key light.
Vec3 away_from_light(const Camera& camera) {
  Vec3 direction = -Lighting(camera).key_direction().cast<double>();
  direction.y() = 0;
  return direction.normalized();
}

}  // namespace

TEST(Renderer, ShowsTheBallInTheMiddle) {
  const BallPicture picture;
  const Image image = picture.take();
  const std::uint8_t* middle = image.pixel(80, 60);
  EXPECT_GT(middle[2], middle[0] + 40);
}

TEST(Renderer, ShowsLightBackgroundInTheCorners) {
  const BallPicture picture;
  const Image image = picture.take();
  for (const int column : {0, 159}) {
    for (const int row : {0, 119}) EXPECT_GT(image.pixel(column, row)[0], 200);
  }
}

TEST(Renderer, CastsAShadowAwayFromTheLight) {
  const BallPicture picture;
  const Image image = picture.take();
  const Vec3 away = 1.6 * kRadius * away_from_light(picture.settings.camera);
  EXPECT_LT(picture.brightness(image, away), picture.brightness(image, -away) - 60);
}

TEST(Renderer, LightsTheBallFromTheSideOfTheLight) {
  const BallPicture picture;
  const Image image = picture.take();
  const Vec3 left = {-0.6 * kRadius, 1.6 * kRadius, 0.5 * kRadius};
  const Vec3 right = {0.6 * kRadius, 0.4 * kRadius, 0.5 * kRadius};
  EXPECT_GT(picture.brightness(image, left), picture.brightness(image, right) + 60);
}

TEST(Renderer, GivesTheSameBytesForAnyNumberOfThreads) {
  const BallPicture picture;
  const int before = threads();
  set_threads(1);
  const Image one = picture.take();
  set_threads(2);
  const Image two = picture.take();
  set_threads(before);
  EXPECT_TRUE(one.bytes() == two.bytes());
}

TEST(Renderer, LooksAlikeFarFromTheOrigin) {
  const BallPicture here;
  BallPicture there;
  const Vec3 offset = {1e5, 1e5, 1e5};
  for (Vec3& vertex : there.drawables[0].mesh.vertices) vertex += offset;
  there.settings.camera.eye += offset;
  there.settings.camera.target += offset;
  there.settings.bounds.translate(offset);
  there.settings.ground = offset.y();
  const Image a = here.take();
  const Image b = there.take();
  int largest = 0;
  for (size_t i = 0; i < a.bytes().size(); ++i)
    largest = std::max(largest, std::abs(a.bytes()[i] - b.bytes()[i]));
  EXPECT_LE(largest, 8);
}

TEST(Renderer, DrawsDarkerPixelsForEdges) {
  BallPicture picture;
  picture.drawables[0].mesh = make_sphere(kRadius, {0, kRadius, 0}, 8);
  const Image plain = picture.take();
  picture.settings.edges = true;
  const Image lines = picture.take();
  int darker = 0;
  for (size_t i = 0; i < plain.bytes().size(); ++i) {
    EXPECT_LE(lines.bytes()[i], plain.bytes()[i]);
    if (lines.bytes()[i] + 20 < plain.bytes()[i]) ++darker;
  }
  EXPECT_GT(darker, 100);
}

TEST(Renderer, DrawsNothingWithoutComplaint) {
  RenderSettings settings;
  settings.width = settings.height = 8;
  EXPECT_GT(render({}, settings).pixel(4, 4)[0], 150);
}

TEST(Renderer, LeavesOutTheGroundWhereNoneIsAsked) {
  BallPicture picture;
  picture.settings.ground.reset();
  const Image image = picture.take();
  const Vec3 away = 1.6 * kRadius * away_from_light(picture.settings.camera);
  EXPECT_EQ(picture.brightness(image, away), picture.brightness(image, -away));
}

}  // namespace pliant::renderer_test

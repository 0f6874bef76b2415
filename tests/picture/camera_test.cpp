#include "pliant/picture/camera.hpp"

#include <algorithm>
#include <cmath>

namespace pliant::camera_test {

namespace {

std::vector<Vec3> scattered_points() {
  std::vector<Vec3> points;
  for (int i = 0; i < 200; ++i) {
    points.emplace_back(10 + 3 * std::sin(1.7 * i), -4 + std::cos(2.3 * i), 0.5 * std::sin(3.1 * i + 1));
  }
  return points;
}

double farthest_from_middle(const Camera& camera, double aspect, const std::vector<Vec3>& points) {
  double farthest = 0;
  for (const Vec3& point : points) {
    const Vec3 place = camera.project(point);
    EXPECT_GT(place.z(), 0);
    farthest = std::max({farthest, std::abs(place.x()) / aspect, std::abs(place.y())});
  }
  return farthest;
}

}  // namespace

TEST(CameraFit, KeepsEveryPointInThePicture) {
  for (const double aspect : {0.4, 1.0, 16.0 / 9}) {
    const auto points = scattered_points();
    EXPECT_LT(farthest_from_middle(fit_camera(points, aspect), aspect, points), 1);
  }
}

TEST(CameraFit, FillsThePicture) {
  for (const double aspect : {0.4, 1.0, 16.0 / 9}) {
    const auto points = scattered_points();
    EXPECT_GT(farthest_from_middle(fit_camera(points, aspect), aspect, points), 0.8);
  }
}

TEST(CameraFit, LooksFromAbove) {
  const Camera camera = fit_camera(scattered_points(), 1);
  EXPECT_GT(camera.eye.y(), camera.target.y());
}

TEST(CameraFit, FramesASinglePoint) {
  const std::vector<Vec3> points = {{1, 2, 3}};
  const Vec3 place = fit_camera(points, 1).project(points[0]);
  EXPECT_NEAR(place.head<2>().norm(), 0, 1e-12);
  EXPECT_GT(place.z(), 0);
}

TEST(CameraFit, IgnoresPointsThatAreNotFinite) {
  std::vector<Vec3> points = scattered_points();
  const Camera without = fit_camera(points, 1);
  points.emplace_back(NAN, 0, 0);
  points.emplace_back(0, INFINITY, 0);
  EXPECT_EQ(fit_camera(points, 1).eye, without.eye);
}

TEST(Camera, ProjectsTheUpperEdgeOfItsViewToOne) {
  const Camera camera = {{0, 0, 5}, {0, 0, 0}, 90};
  EXPECT_NEAR(camera.project({0, 5, 0}).y(), 1, 1e-12);
  EXPECT_NEAR(camera.project({5, 0, 0}).x(), 1, 1e-12);
}

TEST(Camera, LooksStraightDown) {
  const Camera camera = {{0, 5, 0}, {0, 0, 0}, 90};
  EXPECT_NEAR((camera.axes().transpose() * camera.axes() - Mat3::Identity()).norm(), 0, 1e-12);
}

}  // namespace pliant::camera_test

#include "pliant/picture/renderer.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/base/parallel.hpp"
#include "pliant/picture/studio.hpp"

namespace pliant {

namespace {

using Vec3f = Eigen::Vector3f;

constexpr int kTile = 8;  // pixels; each of a tile follows other rays to the lights

/// Three passes over the image. The first looks through the middle of every pixel and follows a few rays to
/// the lights, each pixel of an 8x8 tile its own part of one evenly spread sequence. The second averages the
/// illumination over neighbours on the same surface, with weights that give every part of the sequence the
/// same share: no noise is left, with few rays (Keller and Heidrich, Interleaved sampling, 2001). The third
/// puts the picture together and takes more camera rays where neighbouring pixels show different surfaces.
class Passes {
 public:
  Passes(const Studio& studio, const RenderSettings& settings)
      : studio_(studio),
        settings_(settings),
        points_(pixels()),
        illumination_(pixels()),
        averaged_along_rows_(pixels()),
        image_(settings.width, settings.height) {}

  Image run() {
    for_all_pixels([this](int column, int row) { look(column, row); });
    for_all_pixels([this](int column, int row) { average(column, row, true); });
    for_all_pixels([this](int column, int row) { average(column, row, false); });
    for_all_pixels([this](int column, int row) { image_.set_light(column, row, light(column, row)); });
    return std::move(image_);
  }

 private:
  size_t pixels() const {
    return static_cast<size_t>(settings_.width) * static_cast<size_t>(settings_.height);
  }
  size_t at(int column, int row) const {
    return static_cast<size_t>(row) * static_cast<size_t>(settings_.width) + static_cast<size_t>(column);
  }

  template <class Body>
  void for_all_pixels(const Body& body) {
    constexpr Index kRows = 4;
    parallel_chunks(settings_.height, kRows, [&](Index begin, Index end) {
      for (int row = static_cast<int>(begin); row < end; ++row) {
        for (int column = 0; column < settings_.width; ++column) body(column, row);
      }
    });
  }

  template <class Body>
  void for_neighbors(int column, int row, int reach, const Body& body) const {
    for (int y = std::max(0, row - reach); y <= std::min(settings_.height - 1, row + reach); ++y) {
      for (int x = std::max(0, column - reach); x <= std::min(settings_.width - 1, column + reach); ++x)
        body(x, y);
    }
  }

  int rays_to_lights() const { return std::max(1, settings_.samples / 4); }
  void look(int column, int row);
  void average(int column, int row, bool along_row);
  Vec3f light(int column, int row) const;
  Vec3f light_of_outline(int column, int row) const;
  bool same_surface(const SurfacePoint& a, const SurfacePoint& b) const;

  const Studio& studio_;
  const RenderSettings& settings_;
  std::vector<SurfacePoint> points_;
  std::vector<Illumination> illumination_;
  std::vector<Illumination> averaged_along_rows_;
  Image image_;
};

// Numbers the pixels of a tile so that near ones have numbers far apart (Bayer's matrix).
int number_in_tile(int column, int row) {
  int number = 0;
  for (int bit = 1; bit < kTile; bit *= 2) {
    const int y = (row & bit) != 0 ? 1 : 0;
    const int x = (column & bit) != 0 ? 1 : 0;
    number = 4 * number + 2 * (x ^ y) + y;
  }
  return number;
}

void Passes::look(int column, int row) {
  const size_t i = at(column, row);
  points_[i] =
      studio_.look(studio_.camera_ray(static_cast<float>(column) + 0.5F, static_cast<float>(row) + 0.5F));
  const int rays = rays_to_lights();
  illumination_[i] = studio_.gather(points_[i], number_in_tile(column, row) * rays, rays);
}

// Same body, no crease between, and near the tangent plane.
bool Passes::same_surface(const SurfacePoint& a, const SurfacePoint& b) const {
  if (a.surface != b.surface) return false;
  if (a.surface <= SurfacePoint::kGround) return true;
  if (a.normal.dot(b.normal) < 0.9F) return false;
  const Vec3f apart = b.position - a.position;
  const float pixel = studio_.pixel_size((a.position - studio_.eye()).norm());
  return std::abs(apart.dot(a.normal)) < 2 * pixel + 0.2F * apart.norm();
}

// Along one axis, with weights 1/2, 1, ..., 1, 1/2: the two ends share one part of the sequence.
void Passes::average(int column, int row, bool along_row) {
  constexpr int kReach = kTile / 2;
  const size_t i = at(column, row);
  const int first = std::max(-kReach, along_row ? -column : -row);
  const int last = std::min(kReach, along_row ? settings_.width - 1 - column : settings_.height - 1 - row);
  const auto& from = along_row ? illumination_ : averaged_along_rows_;
  Illumination sum = {0, Vec3f::Zero()};
  float total = 0;
  for (int k = first; k <= last; ++k) {
    const size_t j = along_row ? at(column + k, row) : at(column, row + k);
    if (!same_surface(points_[i], points_[j])) continue;
    const float weight = std::abs(k) == kReach ? 0.5F : 1.0F;
    sum.key += weight * from[j].key;
    sum.sky += weight * from[j].sky;
    total += weight;
  }
  (along_row ? averaged_along_rows_ : illumination_)[i] = {sum.key / total, sum.sky / total};
}

Vec3f Passes::light(int column, int row) const {
  const size_t i = at(column, row);
  bool outline = false;
  for_neighbors(column, row, 1,
                [&](int x, int y) { outline |= !same_surface(points_[i], points_[at(x, y)]); });
  return outline ? light_of_outline(column, row) : studio_.appearance(points_[i], illumination_[i]);
}

// Takes the illumination from a neighbour that shows the same surface; a thin thing between pixels follows
// its own rays.
Vec3f Passes::light_of_outline(int column, int row) const {
  Vec3f sum = Vec3f::Zero();
  for (int s = 0; s < settings_.samples; ++s) {
    const Sample place = sobol_point(static_cast<std::uint32_t>(s));
    const SurfacePoint point = studio_.look(
        studio_.camera_ray(static_cast<float>(column) + place.x(), static_cast<float>(row) + place.y()));
    Illumination found = {0, Vec3f::Zero()};
    float total = 0;
    for_neighbors(column, row, 1, [&](int x, int y) {
      const size_t j = at(x, y);
      if (!same_surface(points_[j], point)) return;
      found.key += illumination_[j].key;
      found.sky += illumination_[j].sky;
      ++total;
    });
    if (total > 0) {
      found = {found.key / total, found.sky / total};
    } else {
      found = studio_.gather(point, s * rays_to_lights(), rays_to_lights());
    }
    sum += studio_.appearance(point, found);
  }
  return sum / static_cast<float>(settings_.samples);
}

}  // namespace

Image render(std::span<const Drawable> drawables, const RenderSettings& settings) {
  const Studio studio(drawables, settings);
  return Passes(studio, settings).run();
}

}  // namespace pliant

#include "render.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "film.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/picture/frame_list.hpp"
#include "pliant/picture/montage.hpp"
#include "pliant/picture/png.hpp"
#include "pliant/picture/renderer.hpp"
#include "pliant/run/run_folder.hpp"

namespace pliant {

namespace {

void check(const RenderOptions& options) {
  std::vector<Complaint> complaints;
  const auto require = [&](bool good, const std::string& message) {
    if (!good) complaints.push_back({"", 0, 0, message});
  };
  constexpr int kLargest = 16384;
  require(
      options.width >= 1 && options.width <= kLargest && options.height >= 1 && options.height <= kLargest,
      format("the size is {} x {}; both may be 1 to {} pixels", options.width, options.height, kLargest));
  require(options.samples >= 1 && options.samples <= 1024,
          format("samples is {}; allowed are 1 to 1024", options.samples));
  require(options.columns >= 0, format("columns is {}; give at least 1", options.columns));
  const double angle = options.field_of_view.value_or(30);
  require(angle > 0 && angle < 180,
          format("the field of view is {} degrees; allowed is more than 0, less than 180", angle));
  require(!options.camera || !options.look_at || *options.camera != *options.look_at,
          "the camera stands where it is to look at; move one of the two");
  if (!complaints.empty()) throw InputError(complaints);
}

/// What the camera looks at: all of the bodies, and of the obstacles what is near them, since a large one
/// would make the bodies specks.
struct Subject {
  Bounds bounds;
  double lowest = 0;  ///< of bodies and obstacles, also where they are far

  Subject(const Film& film, const std::vector<int>& frames, CameraFit& fit) {
    const auto include = [&](const Vec3& vertex) {
      fit.include(vertex);
      bounds.extend(vertex);
    };
    for (const int frame : frames)
      for (const Drawable& body : film.bodies(frame)) for_vertices(body, include);
    if (bounds.isEmpty()) return;
    lowest = bounds.min().y();
    const Bounds near = grown(0.5), beside = grown(0.15);
    for (const int frame : frames) {
      for (const Drawable& obstacle : film.obstacles(frame)) {
        Bounds own;
        for_vertices(obstacle, [&](const Vec3& vertex) { own.extend(vertex); });
        lowest = std::min(lowest, own.min().y());
        const Bounds& shown = near.contains(own) ? near : beside;
        for_vertices(obstacle, [&](const Vec3& vertex) {
          if (shown.contains(vertex)) include(vertex);
        });
      }
      // Pits in something without an end.
      for (const Drawable& obstacle : film.endless(frame))
        for_vertices(obstacle, [&](const Vec3& vertex) {
          if (near.contains(vertex)) lowest = std::min(lowest, vertex.y());
        });
    }
  }

 private:
  /// By a part of their diagonal to each side.
  Bounds grown(double share) const {
    const Vec3 reach = Vec3::Constant(share * bounds.diagonal().norm());
    return {bounds.min() - reach, bounds.max() + reach};
  }

  template <class Visit>
  static void for_vertices(const Drawable& drawable, const Visit& visit) {
    for (const Vec3& vertex : drawable.mesh.vertices)
      if (vertex.allFinite()) visit(vertex);
  }
};

// One view for all frames, so that the picture holds still.
RenderSettings settings_for(const Film& film, const std::vector<int>& frames, const RenderOptions& options) {
  RenderSettings settings;
  CameraFit fit(static_cast<double>(options.width) / options.height, options.field_of_view.value_or(30));
  const Subject subject(film, frames, fit);
  settings.bounds = subject.bounds;
  settings.camera = fit.camera();
  if (options.camera) {
    settings.camera.eye = *options.camera;
    if (!settings.bounds.isEmpty()) settings.camera.target = settings.bounds.center();
  }
  if (options.look_at) settings.camera.target = *options.look_at;
  if (options.ground && !settings.bounds.isEmpty()) {
    // A little lower, so that a flat sheet lies on it and not in it.
    constexpr double kGap = 1e-3;
    settings.ground = subject.lowest - kGap * settings.bounds.diagonal().norm();
  }
  settings.width = options.width;
  settings.height = options.height;
  settings.samples = options.samples;
  settings.edges = options.edges;
  return settings;
}

/// A plane that is level becomes the ground itself, which has no edges and catches shadows.
Image picture_of(const Film& film, int frame, RenderSettings settings) {
  const std::optional<double> floor = settings.ground ? film.floor(frame) : std::nullopt;
  if (floor) {
    settings.ground = *floor;
  }
  std::vector<Drawable> drawables = film.bodies(frame);
  for (Drawable& drawable : film.obstacles(frame)) drawables.push_back(std::move(drawable));
  for (Drawable& drawable : film.endless_behind(frame, settings.camera, floor.has_value()))
    drawables.push_back(std::move(drawable));
  return render(drawables, settings);
}

/// A line that says how far we are, drawn over itself; nothing where nobody watches.
class ProgressLine {
 public:
  explicit ProgressLine(size_t total) : total_(total), shown_(::isatty(STDERR_FILENO) == 1) {}
  ~ProgressLine() {
    if (shown_) std::fputs("\r\033[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(size_t done) const {
    if (shown_) std::fputs(format("\r\033[Krendering {}/{}", done + 1, total_).c_str(), stderr);
  }

 private:
  size_t total_;
  bool shown_;
};

}  // namespace

int render_command(const RenderOptions& options) {
  check(options);
  const RunFolder run(options.run);
  const std::vector<int> frames = parse_frame_list(options.frames, run.frame_count());
  const Film film(run, options.color_inverted, options.hidden_obstacles);
  const RenderSettings settings = settings_for(film, frames, options);
  create_folders(options.output);
  std::vector<Image> images;
  {
    const ProgressLine progress(frames.size());
    for (size_t i = 0; i < frames.size(); ++i) {
      progress.show(i);
      Image image = picture_of(film, frames[i], settings);
      if (options.montage) {
        images.push_back(std::move(image));
      } else {
        write_png(options.output / format("{:06}.png", frames[i]), image);
      }
    }
  }
  if (options.montage) write_png(options.output / "montage.png", montage(images, options.columns));
  log::info(format("rendered {} frame{} to {}", frames.size(), frames.size() == 1 ? "" : "s",
                   options.output.string()));
  return 0;
}

}  // namespace pliant

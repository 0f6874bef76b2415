#include "render.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <span>
#include <vector>

#include "inversion.hpp"
#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/picture/creases.hpp"
#include "pliant/picture/frame_list.hpp"
#include "pliant/picture/montage.hpp"
#include "pliant/picture/png.hpp"
#include "pliant/picture/renderer.hpp"
#include "pliant/picture/tubes.hpp"
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

/// As thick as can be told from its neighbours, whatever its true thickness.
double radius_of_strand(const TetMesh& rest) {
  constexpr double kShare = 0.25;  // of an edge
  double sum = 0;
  for (const auto& [a, b] : rest.edges) sum += (rest.vertices[a] - rest.vertices[b]).norm();
  return kShare * sum / static_cast<double>(std::max<size_t>(1, rest.edges.size()));
}

/// The visible part of a run: surfaces of the bodies, with sharp edges kept, that follow the frames.
class Film {
 public:
  Film(const RunFolder& run, bool color_inverted) : run_(run), color_inverted_(color_inverted) {
    for (const RunBody& body : run.bodies()) surfaces_.push_back(split_creases(extract_surface(body.rest)));
  }

  std::vector<Drawable> frame(int index) const {
    const std::vector<Vec3> positions = run_.frame(index);
    std::vector<Drawable> drawables;
    for (size_t i = 0; i < surfaces_.size(); ++i) {
      const RunBody& body = run_.bodies()[i];
      const std::span<const Vec3> own(positions.data() + body.first_vertex, body.rest.vertices.size());
      if (surfaces_[i].mesh.triangles.empty()) {
        drawables.push_back({make_tubes(own, body.rest.edges, radius_of_strand(body.rest)),
                             palette_color(static_cast<int>(i))});
        continue;
      }
      if (color_inverted_) {
        for (Drawable& drawable : color_inverted(body.rest, surfaces_[i], own))
          drawables.push_back(std::move(drawable));
        continue;
      }
      Drawable& drawable = drawables.emplace_back(surfaces_[i].mesh, palette_color(static_cast<int>(i)));
      for (size_t k = 0; k < surfaces_[i].vertex_of.size(); ++k)
        drawable.mesh.vertices[k] = own[static_cast<size_t>(surfaces_[i].vertex_of[k])];
    }
    return drawables;
  }

 private:
  const RunFolder& run_;
  bool color_inverted_;
  std::vector<Surface> surfaces_;
};

// One view for all frames, so that the picture holds still.
RenderSettings settings_for(const Film& film, const std::vector<int>& frames, const RenderOptions& options) {
  RenderSettings settings;
  CameraFit fit(static_cast<double>(options.width) / options.height, options.field_of_view.value_or(30));
  for (const int frame : frames) {
    for (const Drawable& drawable : film.frame(frame)) {
      for (const Vec3& vertex : drawable.mesh.vertices) {
        fit.include(vertex);
        if (vertex.allFinite()) settings.bounds.extend(vertex);
      }
    }
  }
  settings.camera = fit.camera();
  if (options.camera) {
    settings.camera.eye = *options.camera;
    if (!settings.bounds.isEmpty()) settings.camera.target = settings.bounds.center();
  }
  if (options.look_at) settings.camera.target = *options.look_at;
  if (options.ground && !settings.bounds.isEmpty()) {
    // A little lower, so that a flat sheet lies on it and not in it.
    constexpr double kGap = 1e-3;
    settings.ground = settings.bounds.min().y() - kGap * settings.bounds.diagonal().norm();
  }
  settings.width = options.width;
  settings.height = options.height;
  settings.samples = options.samples;
  settings.edges = options.edges;
  return settings;
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
  const Film film(run, options.color_inverted);
  const RenderSettings settings = settings_for(film, frames, options);
  create_folders(options.output);
  std::vector<Image> images;
  {
    const ProgressLine progress(frames.size());
    for (size_t i = 0; i < frames.size(); ++i) {
      progress.show(i);
      Image image = render(film.frame(frames[i]), settings);
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

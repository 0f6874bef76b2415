#include "export.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/base/files.hpp"
#include "pliant/base/log.hpp"
#include "pliant/base/text.hpp"
#include "pliant/mesh/body_mesh.hpp"
#include "pliant/mesh_file/obj.hpp"
#include "pliant/mesh_file/ply.hpp"
#include "pliant/mesh_file/vtu.hpp"
#include "pliant/run/run_folder.hpp"

namespace pliant {

namespace {

const char* extension(ExportFormat format) {
  switch (format) {
    case ExportFormat::kObj:
      return "obj";
    case ExportFormat::kPly:
      return "ply";
    case ExportFormat::kVtu:
      break;
  }
  return "vtu";
}

/// The meshes of one body, whose vertices follow the frames.
class BodyExport {
 public:
  BodyExport(const RunBody& body, ExportFormat format)
      : name_(body.name),
        first_vertex_(body.first_vertex),
        format_(format),
        solid_(contents_of({body.rest})) {
    if (format == ExportFormat::kVtu) return;
    surface_ = extract_surface(body.rest);
  }

  /// A strand has none.
  bool has_surface() const { return format_ == ExportFormat::kVtu || !surface_.mesh.triangles.empty(); }

  /// Returns the name of the file.
  std::string write(const std::filesystem::path& folder, int frame, const std::vector<Vec3>& positions) {
    const std::string file = pliant::format("{}-{:06}.{}", name_, frame, extension(format_));
    const auto first = positions.begin() + first_vertex_;
    if (format_ == ExportFormat::kVtu) {
      std::copy_n(first, solid_.vertices.size(), solid_.vertices.begin());
      write_vtu(folder / file, solid_);
      return file;
    }
    for (size_t i = 0; i < surface_.vertex_of.size(); ++i)
      surface_.mesh.vertices[i] = first[surface_.vertex_of[i]];
    if (format_ == ExportFormat::kObj) write_obj(folder / file, surface_.mesh);
    if (format_ == ExportFormat::kPly) write_ply(folder / file, surface_.mesh);
    return file;
  }

 private:
  std::string name_;
  int first_vertex_;
  ExportFormat format_;
  MeshContents solid_;
  Surface surface_;
};

/// As they are in a frame.
std::vector<BodyExport> bodies_of(const RunFolder& run, int frame, ExportFormat format) {
  std::vector<BodyExport> bodies;
  for (const RunBody& body : *run.bodies_in(frame)) {
    bodies.emplace_back(body, format);
    if (bodies.back().has_surface()) continue;
    if (frame == 0)
      log::warn(
          pliant::format("body {} is a strand, which has no surface; --format vtu writes it", body.name));
    bodies.pop_back();
  }
  return bodies;
}

// The name of a run is free text; that of a file is not.
std::string as_file_name(std::string name) {
  for (char& c : name) {
    if (c == '/' || static_cast<unsigned char>(c) < ' ') c = '-';
  }
  return name.empty() || name[0] == '.' ? "run" + name : name;
}

}  // namespace

ExportFormat export_format(const std::string& name) {
  if (name == "vtu") return ExportFormat::kVtu;
  if (name == "obj") return ExportFormat::kObj;
  if (name == "ply") return ExportFormat::kPly;
  throw InputError(format("'{}' is no format to export to; known are vtu, obj and ply", name));
}

int export_command(const ExportOptions& options) {
  const RunFolder run(options.run);
  if (run.frame_count() == 0)
    throw InputError(Complaint{run.path().string(), 0, 0, "the run has no frames yet"});
  create_folders(options.output);
  std::vector<BodyExport> bodies = bodies_of(run, 0, options.format);
  int since = 0;
  std::vector<std::pair<double, std::string>> index;
  for (int frame = 0; frame < run.frame_count(); ++frame) {
    if (run.bodies_since(frame) != since)
      bodies = bodies_of(run, since = run.bodies_since(frame), options.format);
    const std::vector<Vec3> positions = run.frame(frame);
    for (BodyExport& body : bodies) {
      index.emplace_back(frame / run.frame_rate(), body.write(options.output, frame, positions));
    }
  }
  if (options.format == ExportFormat::kVtu)
    write_pvd(options.output / (as_file_name(run.name()) + ".pvd"), index);
  log::info(format("exported {} frame{} to {}", run.frame_count(), run.frame_count() == 1 ? "" : "s",
                   options.output.string()));
  return 0;
}

}  // namespace pliant

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pliant/base/error.hpp"
#include "pliant/contact/obstacle.hpp"
#include "pliant/mesh/mesh_contents.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/run/simulation.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/value.hpp"
#include "pliant/setup/model_builder.hpp"

namespace pliant {

/// The rest shape of a body where the scene puts it, and the vertices its scripts and attachments act on.
struct PlacedBody {
  TetMesh rest;
  std::vector<Vec3> start;                 ///< where vertices begin; as in `rest` where it is empty
  std::vector<PointData> fields;           ///< painted on its vertices
  std::vector<double> stiffness;           ///< of each element, in units of `young`; empty where all are 1
  std::vector<std::vector<int>> scripted;  ///< of each script
  std::vector<std::vector<int>> attached;  ///< of each attachment
};

/// What a scene file says, checked, defaults filled in, meshes read and placed.
struct Scene {
  SceneKeys keys;
  std::vector<PlacedBody> bodies;
  std::vector<Obstacle> obstacles;

  /// The scene as TOML with every default filled in; reading it back gives the same text. It names mesh files
  /// by their full paths and holds a checksum of each, so that two scenes of the same text have the same
  /// meshes.
  std::string text() const;
};

/// Reads keys only; no mesh is looked at. `file` is what complaints call the text. Overrides are `key=value`.
/// Throws InputError with every complaint.
SceneKeys parse_scene(const std::string& text, const std::string& file,
                      const std::vector<std::string>& overrides = {});

/// Reads the meshes and selects the regions of parsed keys. Throws InputError with every complaint.
Scene place_scene(SceneKeys keys, const std::filesystem::path& folder);

/// What is wrong with the mesh files that the keys name, whatever else the keys say.
std::vector<Complaint> mesh_file_complaints(const SceneKeys& keys, const std::filesystem::path& folder);

/// The keys of a file.
SceneKeys read_scene_keys(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

/// Both, for a file. Throws InputError with every complaint; regions are only looked at once all keys are
/// right.
Scene read_scene(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});

/// A scene that a program has put together.
struct SceneDocument {
  Value value;                   ///< as a file would say it; origins are what complaints name
  std::filesystem::path folder;  ///< that file names are relative to
  /// Of each body, null where its keys say where it is from; may be shorter than there are bodies.
  std::vector<std::shared_ptr<const PaintedMesh>> meshes = {};
};
/// As above.
Scene read_scene(SceneDocument document, const std::vector<std::string>& overrides = {});

/// A builder that was told all that the scene says.
ModelBuilder builder_of(const Scene& scene);

/// How what it builds is stepped. What tears stays one problem, as its parts come and go; `kept` is what
/// lbfgs starts from then.
SteppingOptions stepping_of(const ModelBuilder& builder, const SceneKeys& keys,
                            std::shared_ptr<KeptFactor> kept = nullptr);

/// The model of a scene, and the state that it starts in.
std::unique_ptr<Model> make_model(const Scene& scene, State& start);

/// A simulation ready to run. Throws InputError where the scene cannot be simulated.
Simulation build(const Scene& scene);

}  // namespace pliant

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/base/visitor.hpp"
#include "pliant/minimize/solver_options.hpp"
#include "pliant/scene/shape_keys.hpp"
#include "pliant/setup/options.hpp"

/// What a scene file says, one struct a table, with the defaults. To add a key, add a field here and a line
/// to the `describe` of its struct, in keys.cpp, or obstacle_keys.cpp for contact. Angles are in degrees, as
/// written.
namespace pliant {

using FibreKeys = FibreOptions;
using DampingKeys = DampingOptions;
using WindKeys = WindOptions;

/// What each of `solid_materials()` takes beside its moduli, where nothing is said.
std::vector<Parameters> initial_parameters();

struct MaterialKeys : MaterialOptions {
  std::string mass = "lumped";
  std::optional<std::string> young_field;
  std::optional<double> tear;
  std::vector<Parameters> own = initial_parameters();  ///< of each of `solid_materials()`

  /// With the parameters of the model.
  MaterialOptions options() const;
};

/// One vertex and where it starts.
struct MoveKeys {
  int vertex = 0;
  Vec3 to = Vec3::Zero();
};

struct StartKeys {
  Vec3 stretch = Vec3::Ones();
  RotationKeys rotate;
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();
  double randomise = 0;
  std::optional<Vec3> collapse;
  std::vector<MoveKeys> moves;
};

struct BoxKeys {
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();
};

struct SphereKeys {
  Vec3 center = Vec3::Zero();
  double radius = 0;
};

struct PlaneKeys {
  Vec3 point = Vec3::Zero(), normal = Vec3::Zero();
};

struct FieldKeys {
  std::string name;
  double above = 0.5;
};

/// Exactly one of them is set.
struct RegionKeys {
  std::optional<BoxKeys> box;
  std::optional<SphereKeys> sphere;
  std::optional<PlaneKeys> plane;
  std::optional<std::vector<int>> indices;
  std::optional<FieldKeys> field;
  Origin origin;
};

struct Keyframe {
  double time = 0;
  Vec3 translate = Vec3::Zero();
  double angle = 0;
};

struct MotionKeys {
  Vec3 center = Vec3::Zero();
  Vec3 axis = Vec3::UnitY();
  std::vector<Keyframe> keys;
  std::string interpolation = "linear";
  Vec3 velocity = Vec3::Zero();
  double spin = 0;
};

/// How something is put into the scene: in this order.
struct PlacementKeys {
  Vec3 scale = Vec3::Ones();
  RotationKeys rotate;
  Vec3 translate = Vec3::Zero();
};

struct ScriptKeys {
  RegionKeys region;
  MotionKeys motion;
  std::optional<double> release;
};

struct AttachmentKeys {
  RegionKeys region;
  double stiffness = 0;
  MotionKeys motion;
};

struct BodyKeys : PlacementKeys {
  std::string name;
  std::optional<ShapeKeys> shape;
  std::optional<std::string> mesh;
  MaterialKeys material;
  DampingKeys damping;
  std::optional<Vec3> color;
  StartKeys start;
  std::vector<ScriptKeys> scripts;
  std::vector<AttachmentKeys> attachments;
  Origin origin;           ///< of the table
  Origin source;           ///< of `shape` or `mesh`
  Origin name_origin;      ///< of `name`
  bool has_model = false;  ///< the default of the material has been chosen
  /// The mesh itself, where a program has it; `shape` or `mesh` then only says of what kind it is.
  std::shared_ptr<const PaintedMesh> given = nullptr;
};

/// A distance sampled on a grid.
struct GridKeys {
  double cell = 0;
  std::string interpolation = "linear";
};

struct ObstacleKeys : PlacementKeys {
  std::string name;
  std::optional<SolidKeys> shape;
  std::optional<std::string> mesh;
  MotionKeys motion;
  std::string contact = "constraint";
  double friction = 0;
  std::optional<double> stiffness;
  std::optional<GridKeys> grid;
  Origin source;       ///< of `shape` or `mesh`
  Origin name_origin;  ///< of `name`

  /// Whether its surface comes from a file.
  bool is_from_file() const { return mesh || (shape && has_surface(*shape)); }
};

/// What holds for all contacts.
struct ContactKeys : ContactOptions {
  std::string method = "penalty";
};

struct TableauKeys {
  std::vector<double> a, b, c;

  /// Whether there are as many of each as there must be.
  bool complete() const;
};

struct TimeKeys {
  std::string scheme = SchemeOptions().name;
  int steps_per_frame = 1;
  std::optional<double> tolerance;
  double rho = SchemeOptions().rho;
  double stiffness = SchemeOptions().stiffness;
  std::optional<TableauKeys> tableau;
};

struct LbfgsKeys {
  int window = LbfgsOptions().window;
  double stretch_first = StretchRange().first, stretch_last = StretchRange().last;
  double newton_below = LbfgsOptions().newton_below;
  std::string initial = "projective";
  std::string preconditioner = "jacobi";
  std::string search = "backtracking";
  int refresh_steps = 10;
};

struct SolverKeys {
  std::string method = SolverOptions().method;
  double tolerance = SolverOptions().tolerance;
  std::string norm = "velocity";
  int max_iterations = SolverOptions().max_iterations;
  std::string on_failure = "continue";
  double sigma = SolverOptions().sigma;
  double kappa = SolverOptions().kappa;
  int iterations = SolverOptions().iterations;
  int cg_iterations = SolverOptions().cg_iterations;
  LbfgsKeys lbfgs;
  SafeguardSwitches safeguards;
};

struct SceneKeys {
  std::string name;
  double duration = 0;
  double frame_rate = 24;
  Vec3 gravity = kEarthGravity;
  std::optional<WindKeys> wind;
  std::int64_t seed = 0;
  TimeKeys time;
  SolverKeys solver;
  ContactKeys contact;
  std::vector<BodyKeys> bodies;
  std::vector<ObstacleKeys> obstacles;

  /// Frames to compute after frame 0, the start.
  int frames() const;
};

void describe(Visitor& visit, MaterialKeys& keys);
void describe(Visitor& visit, DampingKeys& keys);
void describe(Visitor& visit, WindKeys& keys);
void describe(Visitor& visit, MoveKeys& keys);
void describe(Visitor& visit, StartKeys& keys);
void describe(Visitor& visit, BoxKeys& keys);
void describe(Visitor& visit, SphereKeys& keys);
void describe(Visitor& visit, PlaneKeys& keys);
void describe(Visitor& visit, RegionKeys& keys);
void describe(Visitor& visit, Keyframe& keys);
void describe(Visitor& visit, MotionKeys& keys);
void describe(Visitor& visit, ScriptKeys& keys);
void describe(Visitor& visit, AttachmentKeys& keys);
void describe(Visitor& visit, PlacementKeys& keys);
void describe(Visitor& visit, BodyKeys& keys);
void describe(Visitor& visit, GridKeys& keys);
void describe(Visitor& visit, ObstacleKeys& keys);
void describe(Visitor& visit, ContactKeys& keys);
void describe(Visitor& visit, TableauKeys& keys);
void describe(Visitor& visit, TimeKeys& keys);
void describe(Visitor& visit, LbfgsKeys& keys);
void describe(Visitor& visit, SafeguardSwitches& keys);
void describe(Visitor& visit, SolverKeys& keys);
void describe(Visitor& visit, SceneKeys& keys);

}  // namespace pliant

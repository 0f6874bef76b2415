#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pliant/base/types.hpp"
#include "pliant/base/visitor.hpp"
#include "pliant/minimize/solver_options.hpp"
#include "pliant/scene/shape_keys.hpp"

/// What a scene file says, one struct a table, with the defaults. To add a key, add a field here and a line
/// to the `describe` of its struct, in keys.cpp, or obstacle_keys.cpp for contact. Angles are in degrees, as
/// written.
namespace pliant {

/// Control points x, f'(x), x, f'(x) ... of the three functions of a spline material.
struct SplineKeys {
  std::vector<double> a, b, c;
};

struct FibreKeys {
  Vec3 direction = Vec3::Zero();
  double stiffness = 0;
};

struct MaterialKeys {
  std::string model = "fixed-corotated";
  double young = 1e5;
  double poisson = 0.4;
  double c01_share = 0.2;
  double density = 1000;
  std::string mass = "lumped";
  std::optional<std::string> young_field;
  double stretch_min = 1, stretch_max = 1;
  std::optional<SplineKeys> spline;
  double volume = 0;
  std::optional<FibreKeys> fibre;
  double bending = 0;
  double bending_springs = 0;
  std::optional<double> tear;
};

struct DampingKeys {
  double stiffness = 0;
  double mass = 0;
  double ether = 0;
  double internal = 0;
};

struct WindKeys {
  Vec3 velocity = Vec3::Zero();
  Vec3 gust = Vec3::Zero();
  double frequency = 0;
  double drag = 1;
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

  /// Whether what keeps bodies out is part of the energy.
  bool is_energy() const { return contact == "penalty" || contact == "springs"; }
  /// Whether its surface comes from a file.
  bool is_from_file() const { return mesh || (shape && has_surface(*shape)); }
};

/// What holds for all contacts.
struct ContactKeys {
  std::string method = "penalty";
  bool self_collision = false;
  bool within_bodies = true;
  std::optional<double> stiffness;
  double friction = 0;
  bool program_damping = false;
  std::optional<double> thin_distance;
  bool allow_initial_overlap = false;
};

struct TableauKeys {
  std::vector<double> a, b, c;

  /// Whether there are as many of each as there must be.
  bool complete() const;
};

struct TimeKeys {
  std::string scheme = "backward-euler";
  int steps_per_frame = 1;
  std::optional<double> tolerance;
  double rho = 0.8;
  double stiffness = 1;
  std::optional<TableauKeys> tableau;
};

struct LbfgsKeys {
  int window = 5;
  double stretch_first = 0.5, stretch_last = 1.5;
  double newton_below = 0;
  std::string initial = "projective";
  std::string preconditioner = "jacobi";
  std::string search = "backtracking";
  int refresh_steps = 10;
};

struct SolverKeys {
  std::string method = "newton-cg";
  double tolerance = 1e-3;
  std::string norm = "velocity";
  int max_iterations = 500;
  std::string on_failure = "continue";
  double sigma = 0.1;
  double kappa = 1e-2;
  int iterations = 0;
  int cg_iterations = 0;
  LbfgsKeys lbfgs;
  SafeguardSwitches safeguards;
};

struct SceneKeys {
  std::string name;
  double duration = 0;
  double frame_rate = 24;
  Vec3 gravity{0, -9.81, 0};
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

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/contact/obstacle.hpp"
#include "pliant/integrate/schemes.hpp"
#include "pliant/material/parameters.hpp"
#include "pliant/potential/motion.hpp"
#include "pliant/potential/wind.hpp"
#include "pliant/system/stage_solver.hpp"

/// What a model is made of, with the defaults: those of scene files too.
namespace pliant {

/// m/s^2
inline const Vec3 kEarthGravity(0, -9.81, 0);

struct FibreOptions {
  Vec3 direction = Vec3::Zero();  ///< at rest
  double stiffness = 0;           ///< Pa
};

struct MaterialOptions {
  std::string model = "fixed-corotated";
  double young = 1e5;     ///< Pa
  double poisson = 0.4;   ///< at least 0 and less than 0.5
  double density = 1000;  ///< kg/m^3
  bool consistent_mass = false;
  std::vector<double> young_of_element = {};  ///< times young, of each element; empty where all are 1
  Parameters parameters = {};  ///< what the model takes beside its moduli, as `StrainLimit{.low = 0.9}`
  double volume = 0;           ///< resistance to changes of volume alone, Pa
  std::optional<FibreOptions> fibre = {};
  double bending = 0;          ///< of cloth and ribbons, times that of a plate
  double bending_springs = 0;  ///< of all that is thin, times young times thickness
};

/// How motion dies out.
struct DampingOptions {
  double stiffness = 0;  ///< Rayleigh damping of deformation, s
  double mass = 0;       ///< of all motion, 1/s
  double ether = 0;      ///< share of all speed lost before each step, 1/s
  double internal = 0;   ///< the same of all but the rigid motion, 1/s
};

struct BodyOptions {
  std::string name = {};  ///< letters, digits, - and _; without it body, body-2, ...
  MaterialOptions material = {};
  DampingOptions damping = {};
  std::vector<Vec3> positions = {};   ///< of the vertices at the start; at rest where empty, m
  std::vector<Vec3> velocities = {};  ///< likewise; those of `velocity` where empty, m/s
  Vec3 velocity = Vec3::Zero();       ///< of the whole body, m/s
  std::optional<Vec3> color = {};     ///< in pictures: red, green and blue from 0 to 1
};

/// A spring from each vertex to a place that may move.
struct AttachmentOptions {
  std::vector<int> vertices;  ///< of the body
  double stiffness = 0;       ///< N/m
  Motion motion = {};
  std::vector<Vec3> start = {};  ///< of the places, before the motion; those of the vertices where empty
};

struct WindOptions : Air {
  double drag = 1;  ///< kg/(m^2 s)
};

/// How bodies touch themselves and each other.
struct ContactOptions {
  bool self_collision = false;
  ContactWay way = ContactWay::penalty;      ///< of self_collision: that or program
  bool within_bodies = true;                 ///< self_collision: bodies collide with themselves too
  std::optional<double> stiffness = {};      ///< Pa; by Young's modulus of each body unless given
  double friction = 0;                       ///< Coulomb's coefficient
  bool program_damping = false;              ///< programs know of the damping of bodies
  std::optional<double> thin_distance = {};  ///< that vertices of thin bodies keep from each other, m
  bool allow_initial_overlap = false;  ///< vertices that start inside of obstacles are put outside first
};

/// Whether a program keeps bodies apart.
inline bool by_program(const ContactOptions& contact) {
  return contact.self_collision && contact.way == ContactWay::program;
}

/// How time advances.
struct TimeOptions {
  SchemeOptions scheme = {};
  /// With it steps are as long as this mean error of positions a step allows, m, see `StepControl`.
  std::optional<double> tolerance = {};
  double longest_step = 0;  ///< with a tolerance, s
};

}  // namespace pliant

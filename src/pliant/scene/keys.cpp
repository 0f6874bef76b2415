// Every key of a scene file, once: name, meaning, unit, range. Defaults are the initial values of the fields.
#include "pliant/scene/keys.hpp"

#include <algorithm>
#include <cmath>

#include "pliant/base/text.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/value.hpp"

namespace pliant {

namespace {

constexpr double kMostFrames = 999'999;  // their files have six digits

/// The first place where times do not increase; the number of keys where they all do.
size_t first_unordered(const std::vector<Keyframe>& keys) {
  const auto unordered = std::adjacent_find(
      keys.begin(), keys.end(), [](const Keyframe& a, const Keyframe& b) { return !(a.time < b.time); });
  return static_cast<size_t>(unordered - keys.begin());
}

bool turns_about_z(const Vec3& axis, double angle) { return angle == 0 || axis.head<2>().isZero(0); }

bool moves_level(const MotionKeys& motion) {
  return motion.velocity.z() == 0 && turns_about_z(motion.axis, motion.spin) &&
         std::all_of(motion.keys.begin(), motion.keys.end(), [&](const Keyframe& key) {
           return key.translate.z() == 0 && turns_about_z(motion.axis, key.angle);
         });
}

/// Whether a body in a plane of constant z stays there.
bool stays_in_plane(const BodyKeys& keys) {
  const StartKeys& start = keys.start;
  const auto level = [](const auto& item) { return moves_level(item.motion); };
  return turns_about_z(start.rotate.axis, start.rotate.angle) && start.velocity.z() == 0 &&
         start.spin.head<2>().isZero(0) && std::all_of(keys.scripts.begin(), keys.scripts.end(), level) &&
         std::all_of(keys.attachments.begin(), keys.attachments.end(), level);
}

}  // namespace

int SceneKeys::frames() const { return static_cast<int>(std::ceil(duration * frame_rate - 1e-9)); }

void describe(Visitor& visit, DampingKeys& keys) {
  visit.value(
      {.name = "stiffness",
       .meaning = "Rayleigh damping of deformation: the damping matrix is this times the stiffness at the "
                  "start of the step",
       .unit = "s",
       .range = at_least(0)},
      keys.stiffness);
  visit.value({.name = "mass",
               .meaning = "Rayleigh damping of all motion: the damping matrix is this times the mass",
               .unit = "1/s",
               .range = at_least(0)},
              keys.mass);
  visit.value({.name = "ether",
               .meaning = "how fast the body loses speed, before each step and whatever the scheme: "
                          "exp(-ether dt) of it is left",
               .unit = "1/s",
               .range = at_least(0)},
              keys.ether);
  visit.value({.name = "internal",
               .meaning = "the same for all but its rigid motion, which is left alone",
               .unit = "1/s",
               .range = at_least(0)},
              keys.internal);
}

void describe(Visitor& visit, WindKeys& keys) {
  visit.value({.name = "velocity", .meaning = "of the air", .unit = "m/s"}, keys.velocity);
  visit.value(
      {.name = "gust",
       .meaning = "added to the velocity at the strongest moment of a gust, and taken off at the weakest",
       .unit = "m/s"},
      keys.gust);
  visit.value({.name = "frequency", .meaning = "of the gusts", .unit = "Hz", .range = at_least(0)},
              keys.frequency);
  visit.rule(visit.shows_everything() || keys.gust.isZero() || keys.frequency > 0, "gust",
             "gusts need a frequency: with none they never blow");
  visit.value({.name = "drag",
               .meaning = "pressure on a surface for each m/s that the air moves against it",
               .unit = "kg/(m^2 s)",
               .range = kPositive},
              keys.drag);
}

void describe(Visitor& visit, MoveKeys& keys) {
  visit.value(
      {.name = "vertex", .meaning = "which one, counted from 0", .range = at_least(0), .required = true},
      keys.vertex);
  visit.value({.name = "to", .meaning = "its place", .unit = "m", .required = true}, keys.to);
}

void describe(Visitor& visit, StartKeys& keys) {
  visit.value({.name = "stretch", .meaning = "factors along x, y, z, about the centre of mass; -1 mirrors"},
              keys.stretch);
  visit.table({.name = "rotate", .meaning = "turn about the centre of mass, after the stretch"}, keys.rotate);
  visit.value({.name = "velocity", .meaning = "of the whole body", .unit = "m/s"}, keys.velocity);
  visit.value({.name = "spin", .meaning = "angular velocity about the centre of mass", .unit = "rad/s"},
              keys.spin);
  visit.value(
      {.name = "randomise",
       .meaning = "1 puts each vertex at a random place in the bounding box of the body, 0 leaves it; values "
                  "between blend the two. Scripted vertices stay",
       .range = between(0, 1)},
      keys.randomise);
  visit.value({.name = "collapse",
               .meaning = "puts all vertices but the scripted ones at this point; fixed-corotated recovers "
                          "from it, models whose force vanishes there stay",
               .unit = "m"},
              keys.collapse);
  visit.list(
      {.name = "move", .meaning = "single vertices that start somewhere else, whatever the other keys say"},
      keys.moves);
  visit.rule(!keys.collapse || keys.randomise == 0, "collapse",
             "collapse and randomise both say where the vertices start; leave one out");
}

void describe(Visitor& visit, BoxKeys& keys) {
  visit.value({.name = "min", .meaning = "lowest corner", .unit = "m", .required = true}, keys.min);
  visit.value({.name = "max", .meaning = "highest corner", .unit = "m", .required = true}, keys.max);
  visit.rule((keys.min.array() <= keys.max.array()).all(), "max",
             "max must not be below min in any coordinate");
}

void describe(Visitor& visit, SphereKeys& keys) {
  visit.value({.name = "center", .meaning = "its centre", .unit = "m", .required = true}, keys.center);
  visit.value({.name = "radius", .meaning = "its radius", .unit = "m", .range = kPositive, .required = true},
              keys.radius);
}

void describe(Visitor& visit, PlaneKeys& keys) {
  visit.value({.name = "point", .meaning = "a point on the plane", .unit = "m", .required = true},
              keys.point);
  visit.value({.name = "normal", .meaning = "points to the side that is chosen", .required = true},
              keys.normal);
  visit.rule(keys.normal.squaredNorm() > 0, "normal",
             "normal has no length; give a direction like [0, 1, 0]");
}

void describe(Visitor& visit, FieldKeys& keys) {
  visit.value({.name = "name", .meaning = "which field", .required = true}, keys.name);
  visit.value(
      {.name = "above", .meaning = "vertices with more than this are chosen; of a vector its length counts"},
      keys.above);
}

void describe(Visitor& visit, RegionKeys& keys) {
  visit.table({.name = "box", .meaning = "vertices in an axis-aligned box"}, keys.box);
  visit.table({.name = "sphere", .meaning = "vertices in a ball"}, keys.sphere);
  visit.table({.name = "plane", .meaning = "vertices on one side of a plane"}, keys.plane);
  visit.value({.name = "indices", .meaning = "the vertices themselves, counted from 0", .range = at_least(0)},
              keys.indices);
  visit.table({.name = "field", .meaning = "vertices by a field painted on the mesh file"}, keys.field);
  visit.origin("", keys.origin);
  const int given = (keys.box ? 1 : 0) + (keys.sphere ? 1 : 0) + (keys.plane ? 1 : 0) +
                    (keys.indices ? 1 : 0) + (keys.field ? 1 : 0);
  visit.rule(
      given == 1, "",
      format("a region is exactly one of box, sphere, plane, indices and field; here {} are given", given));
}

void describe(Visitor& visit, Keyframe& keys) {
  visit.value({.name = "time", .meaning = "when", .unit = "s", .required = true}, keys.time);
  visit.value({.name = "translate", .meaning = "moved by, from the start", .unit = "m"}, keys.translate);
  visit.value({.name = "angle", .meaning = "turned by, from the start", .unit = "deg"}, keys.angle);
}

void describe(Visitor& visit, MotionKeys& keys) {
  visit.value({.name = "center", .meaning = "a point on the axis to turn about", .unit = "m"}, keys.center);
  visit.value({.name = "axis", .meaning = "direction of the axis to turn about"}, keys.axis);
  visit.list(
      {.name = "keys",
       .meaning = "places on the way, in the order of their times; before the first and after the last it "
                  "rests there. Without any, and without velocity and spin, it stands still"},
      keys.keys);
  visit.value(
      {.name = "interpolation", .meaning = "the way between keys", .choices = interpolation_choices()},
      keys.interpolation);
  visit.value({.name = "velocity", .meaning = "constant, on top of the keys, from time 0", .unit = "m/s"},
              keys.velocity);
  visit.value({.name = "spin",
               .meaning = "constant, about the axis, on top of the keys, from time 0",
               .unit = "deg/s"},
              keys.spin);
  visit.rule(keys.axis.squaredNorm() > 0, "axis", "axis has no length; give a direction like [0, 1, 0]");
  const size_t bad = first_unordered(keys.keys);
  visit.rule(bad == keys.keys.size(), "keys",
             bad == keys.keys.size() ? ""
                                     : format("times of keys must increase, but {} s is followed by {} s",
                                              keys.keys[bad].time, keys.keys[bad + 1].time));
}

void describe(Visitor& visit, ScriptKeys& keys) {
  visit.table(
      {.name = "region", .meaning = "which vertices, chosen on the placed rest shape", .required = true},
      keys.region);
  describe(visit, keys.motion);
  visit.value({.name = "release",
               .meaning = "when the vertices become free; without it never",
               .unit = "s",
               .range = at_least(0)},
              keys.release);
}

void describe(Visitor& visit, AttachmentKeys& keys) {
  visit.table(
      {.name = "region", .meaning = "which vertices, chosen on the placed rest shape", .required = true},
      keys.region);
  visit.value({.name = "stiffness",
               .meaning = "of the spring at each vertex",
               .unit = "N/m",
               .range = kPositive,
               .required = true},
              keys.stiffness);
  describe(visit, keys.motion);
}

void describe(Visitor& visit, PlacementKeys& keys) {
  visit.value({.name = "scale",
               .meaning = "factors along x, y, z about the origin, or one for all",
               .range = kPositive,
               .one_for_three = true},
              keys.scale);
  visit.table({.name = "rotate", .meaning = "turn about the origin, after the scale"}, keys.rotate);
  visit.value({.name = "translate", .meaning = "move, after the turn", .unit = "m"}, keys.translate);
}

void describe(Visitor& visit, BodyKeys& keys) {
  visit.value({.name = "name",
               .meaning = "letters, digits, - and _; names files of the run. Without it body, body-2, ..."},
              keys.name);
  visit.table({.name = "shape", .meaning = "a shape to mesh; exactly one of shape and mesh is given"},
              keys.shape);
  visit.value({.name = "mesh",
               .meaning = "a file of tetrahedra (.msh, .vtu, .mesh, .node) or of a closed surface to fill "
                          "with cells of a twentieth of its "
                          "diagonal (.obj, .ply, .stl, .glb; shape = { kind = \"surface\" } says more), "
                          "relative to the scene file"},
              keys.mesh);
  const bool thin = keys.shape && is_thin(keys.shape->kind);
  if (thin && !keys.has_model) keys.material.model = "springs";
  keys.has_model = true;
  visit.table({.name = "material", .meaning = "what it is made of"}, keys.material);
  visit.table(
      {.name = "damping",
       .meaning =
           "how motion dies out; by stiffness it is evaluated at the start of each step, which is accurate "
           "to first order in the step whatever the scheme"},
      keys.damping);
  for (const Conflict& conflict : find_conflicts({.bodies = {parts_of(keys, 0)}}, KeyTable::body))
    visit.rule(false, conflict.key, conflict.message);
  visit.value({.name = "color",
               .meaning = "how pictures show it: red, green and blue; a series of calm colours unless given",
               .range = between(0, 1)},
              keys.color);
  describe(visit, static_cast<PlacementKeys&>(keys));
  visit.table(
      {.name = "start", .meaning = "where the start differs from the placed rest shape", .section = true},
      keys.start);
  visit.list({.name = "script", .meaning = "vertices that are held or moved", .section = true}, keys.scripts);
  visit.list({.name = "attachment",
              .meaning = "vertices that springs pull to places that may move",
              .section = true},
             keys.attachments);
  visit.origin("", keys.origin);
  visit.origin("name", keys.name_origin);
  visit.origin(keys.mesh ? "mesh" : "shape", keys.source);
  visit.rule(
      keys.name.empty() || is_file_name_safe(keys.name), "name",
      format("{} cannot be part of a file name; use letters, digits, - and _ only", toml_text(keys.name)));
  visit.rule(!keys.mesh || !keys.mesh->empty(), "mesh", "mesh is empty; give the name of a file");
  visit.rule(keys.shape.has_value() != keys.mesh.has_value(), keys.mesh ? "mesh" : "",
             keys.mesh ? "a body has either a shape or a mesh, here both are given; leave one out"
                       : "a body needs a shape or a mesh; add for instance shape = { kind = \"box\" }");
  visit.rule(
      !keys.shape || keys.shape->kind != "rectangle" || stays_in_plane(keys), "shape",
      "a rectangle moves in its plane only: start, scripts and attachments may turn it about z but not "
      "move it along z");
}

bool TableauKeys::complete() const {
  return !b.empty() && c.size() == b.size() && a.size() == b.size() * (b.size() + 1) / 2;
}

void describe(Visitor& visit, TableauKeys& keys) {
  visit.value({.name = "a",
               .meaning = "the lower triangle with its diagonal, row by row: 1, 2, 3, ... numbers",
               .required = true},
              keys.a);
  visit.value({.name = "b", .meaning = "weight of each stage", .required = true}, keys.b);
  visit.value({.name = "c",
               .meaning = "when each stage is, in steps; as long as b, and the sums of the rows of a",
               .required = true},
              keys.c);
  const size_t s = keys.b.size();
  visit.rule(keys.complete(), "a",
             s == 0 ? "b has no weights; give one for each stage"
                    : format("a has {} numbers, b has {} and c has {}; with {} weights, a needs {} and c {}",
                             keys.a.size(), s, keys.c.size(), s, s * (s + 1) / 2, s));
  if (!keys.complete()) return;
  const double error = examine(to_tableau(keys)).row_error;
  visit.rule(error < kCoefficientRoundoff, "c",
             format("c must be the sums of the rows of a; it is off by {:.3g}", error));
}

void describe(Visitor& visit, TimeKeys& keys) {
  visit.value({.name = "scheme", .meaning = "time integrator", .choices = scheme_choices()}, keys.scheme);
  visit.value({.name = "steps_per_frame",
               .meaning = "steps from a frame to the next; the step is 1 / (frame_rate "
                          "* steps_per_frame)",
               .range = at_least(1)},
              keys.steps_per_frame);
  visit.value(
      {.name = "tolerance",
       .meaning = "instead of steps_per_frame: steps are as long as this mean error of positions a step "
                  "allows, and end at frames",
       .unit = "m",
       .range = kPositive},
      keys.tolerance);
  visit.rule(
      visit.shows_everything() || !keys.tolerance || keys.steps_per_frame == TimeKeys().steps_per_frame,
      "tolerance",
      "tolerance chooses the steps, and steps_per_frame gives them; leave one out, or set steps_per_frame to "
      "1");
  visit.value(
      {.name = "rho",
       .meaning = "of generalized-alpha: how much of the fastest motion a step leaves; 1 damps nothing",
       .range = between(0, 1)},
      keys.rho);
  visit.value({.name = "stiffness",
               .meaning = "of pbd: what part of its error a spring loses in a step",
               .range = between(0, 1)},
              keys.stiffness);
  visit.table({.name = "tableau", .meaning = "of runge-kutta: the coefficients of a scheme of your own"},
              keys.tableau);
  visit.rule(visit.shows_everything() || (keys.scheme == "runge-kutta") == keys.tableau.has_value(), "scheme",
             keys.tableau ? format("tableau is for scheme = \"runge-kutta\", not for \"{}\"", keys.scheme)
                          : "scheme = \"runge-kutta\" needs a tableau = { a = [...], b = [...], c = [...] }");
  for (const Conflict& conflict : find_conflicts(
           {.scheme = scheme_options(keys), .tolerance = keys.tolerance.has_value()}, KeyTable::time))
    visit.rule(false, conflict.key, conflict.message);
}

void describe(Visitor& visit, SceneKeys& keys) {
  visit.value({.name = "name", .meaning = "what the scene is called", .required = true}, keys.name);
  visit.value({.name = "duration",
               .meaning = "how much time to simulate",
               .unit = "s",
               .range = kPositive,
               .required = true},
              keys.duration);
  visit.value(
      {.name = "frame_rate", .meaning = "frames to record a second", .unit = "Hz", .range = kPositive},
      keys.frame_rate);
  visit.value(
      {.name = "gravity", .meaning = "acceleration of free fall; [0, 0, 0] switches it off", .unit = "m/s^2"},
      keys.gravity);
  visit.value({.name = "seed", .meaning = "start of all random numbers", .range = at_least(0)}, keys.seed);
  visit.table({.name = "wind",
               .meaning = "presses on the surfaces of all bodies along their normals",
               .section = true},
              keys.wind);
  visit.table({.name = "time", .meaning = "how time advances", .section = true}, keys.time);
  visit.table({.name = "solver", .meaning = "how each step is solved", .section = true}, keys.solver);
  visit.table({.name = "contact", .meaning = "how bodies touch themselves and each other", .section = true},
              keys.contact);
  visit.list({.name = "body",
              .meaning = "a deformable body; a scene has one or more. Scale, rotate and translate, "
                         "in this order, place its rest shape",
              .required = true,
              .section = true},
             keys.bodies);
  visit.list({.name = "obstacle",
              .meaning = "something rigid that bodies collide with and that moves as told. Scale, rotate and "
                         "translate, in this order, place it at time 0, before its motion",
              .section = true},
             keys.obstacles);
  for (const Conflict& conflict : find_conflicts(combination_of(keys), KeyTable::scene))
    visit.rule(false, conflict.key, conflict.message);
  visit.rule(keys.duration * keys.frame_rate <= kMostFrames, "duration",
             format("{:.6g} frames are too many, at most {:.0f} are possible; lower duration or frame_rate",
                    keys.duration * keys.frame_rate, kMostFrames));
}

}  // namespace pliant

// The keys of obstacles and contact.
#include "pliant/base/text.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/names.hpp"
#include "pliant/scene/registry.hpp"
#include "pliant/scene/value.hpp"
#include "pliant/setup/obstacle_contacts.hpp"

namespace pliant {

namespace {

void require_sense(Visitor& visit, const ObstacleKeys& keys) {
  visit.rule(
      keys.name.empty() || is_file_name_safe(keys.name), "name",
      format("{} cannot be part of a file name; use letters, digits, - and _ only", toml_text(keys.name)));
  visit.rule(!keys.mesh || !keys.mesh->empty(), "mesh", "mesh is empty; give the name of a file");
  visit.rule(keys.shape.has_value() != keys.mesh.has_value(), keys.mesh ? "mesh" : "",
             keys.mesh
                 ? "an obstacle has either a shape or a mesh, here both are given; leave one out"
                 : "an obstacle needs a shape or a mesh; add for instance shape = { kind = \"plane\" }");
  visit.rule(keys.mesh || (keys.scale.array() == keys.scale[0]).all(), "scale",
             "a shape is scaled by one number, or distances from it would be wrong; give its own lengths "
             "instead, or a mesh");
  const auto inexact = [&](std::string_view what) {
    return format(
        "contact = \"{}\" needs an exact distance, which {} does not give; use contact = \"penalty\"",
        keys.contact, what);
  };
  const ObstacleContact* contact = find_obstacle_contact(keys.contact);
  if (!contact) return;  // there is a complaint already
  const bool samples = !contact->needs_exact_distance;
  visit.rule(samples || !keys.is_from_file(), keys.mesh ? "mesh" : "shape", inexact("the surface in a file"));
  visit.rule(samples || !keys.grid, "grid", inexact("a grid"));
  visit.rule(contact->has_stiffness || !keys.stiffness, "stiffness",
             format("stiffness has a meaning for contact = \"penalty\" and \"springs\" only, and contact is "
                    "\"{}\"; leave it out",
                    keys.contact));
}

}  // namespace

void describe(Visitor& visit, GridKeys& keys) {
  visit.value(
      {.name = "cell", .meaning = "side of its cells", .unit = "m", .range = kPositive, .required = true},
      keys.cell);
  visit.value(
      {.name = "interpolation", .meaning = "between the points of the grid", .choices = grid_choices()},
      keys.interpolation);
}

void describe(Visitor& visit, ObstacleKeys& keys) {
  visit.value(
      {.name = "name",
       .meaning = "letters, digits, - and _; names files of the run. Without it obstacle, obstacle-2, "
                  "..."},
      keys.name);
  visit.table({.name = "shape", .meaning = "what it is; exactly one of shape and mesh is given"}, keys.shape);
  visit.value({.name = "mesh",
               .meaning = "a file of a closed surface (.obj, .ply, .stl, .glb) or of tetrahedra, relative to "
                          "the scene file; not for contact = \"constraint\" and \"post-process\""},
              keys.mesh);
  describe(visit, static_cast<PlacementKeys&>(keys));
  visit.table({.name = "motion", .meaning = "how it moves"}, keys.motion);
  visit.value({.name = "contact", .meaning = "how bodies are kept out of it", .choices = contact_choices()},
              keys.contact);
  visit.value({.name = "friction", .meaning = "Coulomb's coefficient", .range = at_least(0)}, keys.friction);
  visit.value(
      {.name = "stiffness",
       .meaning = "of penalties, Pa: the energy of a vertex is this times its depth to the third power; "
                  "without it 10 times young of each body. Of springs, N/m: half of this times the "
                  "depth squared; without it 10 times young times the size of a vertex, the third root "
                  "of its volume",
       .unit = "Pa or N/m",
       .range = kPositive},
      keys.stiffness);
  visit.table(
      {.name = "grid",
       .meaning =
           "its distance is sampled on a grid, for penalties, springs and programs; a surface from a file "
           "gets one "
           "with cells of a 64th of its longest side, or a quarter of its thickness where that is less, "
           "unless given"},
      keys.grid);
  visit.origin("name", keys.name_origin);
  visit.origin(keys.mesh ? "mesh" : "shape", keys.source);
  require_sense(visit, keys);
}

void describe(Visitor& visit, ContactKeys& keys) {
  visit.value({.name = "self_collision", .meaning = "whether bodies collide with themselves and each other"},
              keys.self_collision);
  visit.value({.name = "method",
               .meaning = "how bodies are kept out of each other",
               .choices = body_contact_choices()},
              keys.method);
  visit.value(
      {.name = "program_damping",
       .meaning =
           "whether the damping of bodies takes part in programs, besides in the steps that they correct"},
      keys.program_damping);
  visit.value(
      {.name = "within_bodies",
       .meaning = "with self_collision: bodies collide with themselves too, not only with each other; "
                  "switch it off for bodies that cannot touch themselves, like blocks"},
      keys.within_bodies);
  visit.value({.name = "stiffness",
               .meaning = "of self-collision, without it 10 times young of the body of each vertex, and of "
                          "thin_distance, without it young times thickness over three times that distance",
               .unit = "Pa",
               .range = kPositive},
              keys.stiffness);
  visit.value({.name = "friction",
               .meaning = "Coulomb's coefficient of bodies on themselves and each other",
               .range = at_least(0)},
              keys.friction);
  visit.value(
      {.name = "thin_distance",
       .meaning = "that vertices of cloth, ribbons and strands keep from each other, about the length of an "
                  "edge; without it they pass through each other. Neighbours, closer than 1.5 times this at "
                  "rest, need not",
       .unit = "m",
       .range = kPositive},
      keys.thin_distance);
  visit.value(
      {.name = "allow_initial_overlap",
       .meaning = "whether bodies may start inside of obstacles, which they are put outside of first, or "
                  "inside of each other; without it such a scene is refused"},
      keys.allow_initial_overlap);
}

}  // namespace pliant

// The keys of materials.
#include "pliant/base/text.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/registry.hpp"

namespace pliant {

void describe(Visitor& visit, SplineKeys& keys) {
  const auto points = [&](std::string_view name, std::string_view meaning, std::vector<double>& field) {
    visit.value({.name = name, .meaning = meaning, .unit = "Pa"}, field);
    const auto ordered = [&] {
      for (size_t i = 2; i < field.size(); i += 2)
        if (!(field[i] > field[i - 2])) return false;
      return true;
    };
    visit.rule(field.empty() || (field.size() >= 4 && field.size() % 2 == 0 && ordered()), name,
               "control points are pairs of a place and a value, at least two of them, at increasing places");
  };
  points("a", "control points x, a'(x), x, a'(x) ... of the function of each stretch; none for zero", keys.a);
  points("b", "the same for the function of the products of two stretches", keys.b);
  points("c", "the same for the function of the product of all three, the change of volume", keys.c);
}

void describe(Visitor& visit, FibreKeys& keys) {
  visit.value({.name = "direction", .meaning = "in which fibres run at rest", .required = true},
              keys.direction);
  visit.rule(visit.shows_everything() || keys.direction.norm() > 0, "direction",
             "a direction needs a length; give one as [0, 1, 0]");
  visit.value({.name = "stiffness",
               .meaning = "kappa of the energy density kappa/2 (|F d| - 1)^2",
               .unit = "Pa",
               .range = kPositive,
               .required = true},
              keys.stiffness);
}

void describe(Visitor& visit, MaterialKeys& keys) {
  visit.value(
      {.name = "model", .meaning = "how energy depends on deformation", .choices = material_choices()},
      keys.model);
  visit.value({.name = "young", .meaning = "Young's modulus: how stiff", .unit = "Pa", .range = kPositive},
              keys.young);
  visit.value(
      {.name = "poisson",
       .meaning = "Poisson's ratio: how much it resists a change of volume; 0.5 would be incompressible",
       .range = {.min = 0, .max = 0.5, .max_allowed = false},
       .remedy = "from 0.5 on the material would be incompressible and infinitely stiff; use 0.49 for a "
                 "nearly incompressible one"},
      keys.poisson);
  visit.value(
      {.name = "c01_share",
       .meaning = "for mooney-rivlin alone: c01 / (c10 + c01), where young and poisson give c10 + c01 = "
                  "mu/2 and the bulk modulus; 0 leaves c10 alone",
       .range = between(0, 1)},
      keys.c01_share);
  visit.value({.name = "density", .meaning = "mass by rest volume", .unit = "kg/m^3", .range = kPositive},
              keys.density);
  visit.value({.name = "mass", .meaning = "the mass matrix", .choices = mass_choices()}, keys.mass);
  visit.value({.name = "young_field",
               .meaning = "a field painted on the mesh file that young is multiplied by, averaged over the "
                          "corners of an element; it must be positive"},
              keys.young_field);
  visit.value({.name = "stretch_min",
               .meaning = "of strain-limited: the stretch below which it resists",
               .range = at_least(0)},
              keys.stretch_min);
  visit.value({.name = "stretch_max",
               .meaning = "of strain-limited: the stretch above which it resists",
               .range = kPositive},
              keys.stretch_max);
  visit.rule(keys.stretch_min <= keys.stretch_max, "stretch_min",
             "stretch_min must not be above stretch_max; exchange them");
  visit.table({.name = "spline", .meaning = "of spline: its three functions"}, keys.spline);
  visit.rule(visit.shows_everything() || keys.spline.has_value() == (keys.model == "spline"), "spline",
             keys.spline
                 ? "control points are for model = \"spline\"; leave them out"
                 : "model = \"spline\" needs control points: spline = { a = [0.5, -1e4, 1, 0, 1.5, 1e4] }");
  visit.value({.name = "volume",
               .meaning = "adds a resistance to changes of volume alone, the squared distance to the nearest "
                          "deformation that keeps it",
               .unit = "Pa",
               .range = at_least(0)},
              keys.volume);
  visit.table({.name = "fibre", .meaning = "fibres that run through it and resist stretch"}, keys.fibre);
  visit.value({.name = "bending",
               .meaning = "of cloth and ribbons: how many times as stiff as a plate of the material they are "
                          "against bending",
               .range = at_least(0)},
              keys.bending);
  visit.value({.name = "bending_springs",
               .meaning = "of cloth, ribbons and strands: stiffness of springs between the corners on both "
                          "sides of each edge, or of each vertex of a strand, in parts of young times "
                          "thickness",
               .range = at_least(0)},
              keys.bending_springs);
  visit.value(
      {.name = "tear",
       .meaning = "the stretch beyond which an element leaves the body: a tetrahedron, a triangle, or "
                  "an edge of a strand. Without it nothing tears",
       .range = {.min = 1, .min_allowed = false},
       .remedy = "at 1 nothing is stretched; 1.5 lets it tear when half as long again"},
      keys.tear);
  visit.rule(keys.model == "mooney-rivlin" || keys.c01_share == MaterialKeys().c01_share, "c01_share",
             format("c01_share has a meaning for mooney-rivlin only, and the model is {}; leave it out",
                    keys.model));
  for (const Conflict& conflict : find_conflicts({.bodies = {parts_of(keys)}}, KeyTable::material))
    visit.rule(false, conflict.key, conflict.message);
}

}  // namespace pliant

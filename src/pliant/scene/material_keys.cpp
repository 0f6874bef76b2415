// The keys of materials.
#include "pliant/base/text.hpp"
#include "pliant/potential/solid.hpp"
#include "pliant/scene/keys.hpp"
#include "pliant/scene/registry.hpp"

namespace pliant {

namespace {

void describe_own(Visitor& visit, MaterialKeys& keys, bool beside_moduli) {
  for (size_t i = 0; i < keys.own.size(); ++i) {
    const SolidMaterial& material = solid_materials()[i];
    if (material.describe && material.beside_moduli == beside_moduli) material.describe(visit, keys.own[i]);
  }
}

/// Of the keys that single materials have: those of the model must fit, those of others are left alone.
void rule_own(Visitor& visit, const MaterialKeys& keys) {
  for (size_t i = 0; i < keys.own.size(); ++i) {
    const SolidMaterial& material = solid_materials()[i];
    if (material.name == keys.model) {
      if (material.rules) material.rules(visit, keys.own[i]);
      continue;
    }
    for (const std::string& key : changed_keys(material, keys.own[i]))
      visit.rule(false, key,
                 format("{} has a meaning for {} only, and the model is {}; leave it out", key, material.name,
                        keys.model));
  }
}

}  // namespace

std::vector<Parameters> initial_parameters() {
  std::vector<Parameters> all;
  for (const SolidMaterial& material : solid_materials()) all.push_back(material.initial);
  return all;
}

MaterialOptions MaterialKeys::options() const {
  MaterialOptions options = *this;
  options.consistent_mass = mass == "consistent";
  for (size_t i = 0; i < own.size(); ++i)
    if (solid_materials()[i].name == model) options.parameters = own[i];
  return options;
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
  describe_own(visit, keys, true);
  visit.value({.name = "density", .meaning = "mass by rest volume", .unit = "kg/m^3", .range = kPositive},
              keys.density);
  visit.value({.name = "mass", .meaning = "the mass matrix", .choices = mass_choices()}, keys.mass);
  visit.value({.name = "young_field",
               .meaning = "a field painted on the mesh file that young is multiplied by, averaged over the "
                          "corners of an element; it must be positive"},
              keys.young_field);
  describe_own(visit, keys, false);
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
  rule_own(visit, keys);
  for (const Conflict& conflict : find_conflicts({.bodies = {parts_of(keys)}}, KeyTable::material))
    visit.rule(false, conflict.key, conflict.message);
}

}  // namespace pliant

#include "pliant/potential/solid.hpp"

#include <algorithm>

#include "pliant/base/error.hpp"

namespace pliant {

// Each declares itself in a source file of its own, solid_NAME.cpp.
SolidMaterial fixed_corotated_solid();
SolidMaterial st_venant_kirchhoff_solid();
SolidMaterial neo_hookean_solid();
SolidMaterial stable_neo_hookean_solid();
SolidMaterial extrapolated_neo_hookean_solid();
SolidMaterial mooney_rivlin_solid();
SolidMaterial corotated_solid();
SolidMaterial as_rigid_as_possible_solid();
SolidMaterial polynomial_solid();
SolidMaterial strain_limited_solid();
SolidMaterial spline_solid();

std::span<const SolidMaterial> solid_materials() {
  static const SolidMaterial kMaterials[] = {
      fixed_corotated_solid(),
      st_venant_kirchhoff_solid(),
      neo_hookean_solid(),
      stable_neo_hookean_solid(),
      extrapolated_neo_hookean_solid(),
      mooney_rivlin_solid(),
      corotated_solid(),
      as_rigid_as_possible_solid(),
      polynomial_solid(),
      strain_limited_solid(),
      spline_solid(),
  };
  return kMaterials;
}

const SolidMaterial* find_solid(std::string_view name) {
  for (const SolidMaterial& candidate : solid_materials())
    if (candidate.name == name) return &candidate;
  return nullptr;
}

namespace {

/// Of parameters of the material's own kind.
Survey survey(const SolidMaterial& material, Parameters own) {
  Survey found;
  if (own.empty()) own = material.initial;
  if (material.describe) material.describe(found, own);
  if (material.rules) material.rules(found, own);
  return found;
}

}  // namespace

std::vector<Setting> settings_of(const SolidMaterial& material, Parameters own) {
  return survey(material, std::move(own)).settings;
}

std::vector<std::string> changed_keys(const SolidMaterial& material, const Parameters& own) {
  const std::vector<Setting> before = settings_of(material, material.initial);
  std::vector<std::string> keys;
  for (const Setting& setting : settings_of(material, own)) {
    const std::string key = setting.key.substr(0, setting.key.find('.'));
    if (std::find(before.begin(), before.end(), setting) == before.end() &&
        (keys.empty() || keys.back() != key))
      keys.push_back(key);
  }
  return keys;
}

std::vector<std::string> complaints_about(const SolidMaterial& material, Parameters own) {
  if (own.empty() || own.of_one_kind_with(material.initial))
    return survey(material, std::move(own)).complaints;
  for (const SolidMaterial& other : solid_materials())
    if (own.of_one_kind_with(other.initial))
      return {"the parameters are those of " + std::string(other.name) + ", and the model is " +
              std::string(material.name) + "; leave them out"};
  return {"the parameters are of no material"};
}

std::unique_ptr<Potential> make_solid(std::string_view material, const SolidRest& rest, const Lame& lame,
                                      const Parameters& own) {
  if (const SolidMaterial* found = find_solid(material)) {
    std::vector<Complaint> complaints;
    for (const std::string& message : complaints_about(*found, own))
      complaints.push_back({"", 0, 0, message});
    if (!complaints.empty()) throw InputError(std::move(complaints));
    return found->make(rest, lame, own.empty() ? found->initial : own);
  }
  std::string known;
  for (const SolidMaterial& candidate : solid_materials())
    known += (known.empty() ? "" : ", ") + std::string(candidate.name);
  throw InputError("no material is called '" + std::string(material) + "'; known are " + known);
}

}  // namespace pliant

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pliant/base/survey.hpp"
#include "pliant/material/lame.hpp"
#include "pliant/material/parameters.hpp"
#include "pliant/mesh/tet_mesh.hpp"
#include "pliant/potential/potential.hpp"

namespace pliant {

/// What a solid is made of, for the time of a call.
struct SolidRest {
  const TetMesh& mesh;
  int first_vertex = 0;
  std::span<const double> stiffness = {};  ///< times all moduli, element by element; 1 where it is empty
};

/// The elastic energy of a mesh of linear tetrahedra, or of triangles in plane strain. Contributions are its
/// elements, in their order in the mesh. The parameters must be of the kind of the material's own.
using SolidFactory = std::unique_ptr<Potential> (*)(const SolidRest& rest, const Lame& lame,
                                                    const Parameters& own);

/// A material that solids can be made of, as its own source file declares it.
struct SolidMaterial {
  std::string_view name;
  std::string_view summary;
  SolidFactory make;
  Parameters initial = {};  ///< what it takes beside its moduli, where nothing is said
  /// The keys of these, among those of materials in scene files: no other may have the same.
  void (*describe)(Visitor& visit, Parameters& own) = nullptr;
  /// What must hold between them where a body is made of it.
  void (*rules)(Visitor& visit, const Parameters& own) = nullptr;
  bool beside_moduli = false;  ///< they say what the moduli mean, and are shown next to these
};

/// All of them.
std::span<const SolidMaterial> solid_materials();

/// By name; null where there is none.
const SolidMaterial* find_solid(std::string_view name);

/// What `own` is set to; nothing stands for what the material does unless told.
std::vector<Setting> settings_of(const SolidMaterial& material, Parameters own);
/// The keys that say something else than `initial`; tables as a whole.
std::vector<std::string> changed_keys(const SolidMaterial& material, const Parameters& own);
/// What is wrong with it for that material.
std::vector<std::string> complaints_about(const SolidMaterial& material, Parameters own);

/// By name. Throws InputError where there is none of that name and with all that is wrong with its
/// parameters.
std::unique_ptr<Potential> make_solid(std::string_view material, const SolidRest& rest, const Lame& lame,
                                      const Parameters& own = {});
inline std::unique_ptr<Potential> make_solid(std::string_view material, const TetMesh& rest, int first_vertex,
                                             const Lame& lame, const Parameters& own = {}) {
  return make_solid(material, {rest, first_vertex}, lame, own);
}

/// Resists a change of volume alone, by the squared distance to the nearest F that keeps it, with stiffness
/// 2 mu; an addition to another material.
std::unique_ptr<Potential> make_volume_solid(const TetMesh& rest, int first_vertex, const Lame& lame);

}  // namespace pliant

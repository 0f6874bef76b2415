#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pliant/run/run_folder.hpp"

namespace pliant {

/// The elastic energy of a run's bodies, with the rest shapes that its folder holds and the materials that
/// its scene.toml describes. To build that can take as long as starting the run did.
class EnergyDensity {
 public:
  /// `scene` is the text of the scene, `file` what complaints call it. Throws InputError where it is wrong,
  /// has other bodies than the run, or says of one what is known from a file alone.
  EnergyDensity(const std::string& scene, const std::filesystem::path& file, std::span<const RunBody> bodies);
  ~EnergyDensity();

  /// Of the same bodies after some have torn. Throws InputError where they are of another kind.
  std::unique_ptr<const EnergyDensity> torn(std::span<const RunBody> bodies) const;

  /// Elastic energy at each vertex of the model, J: that of every element, hinge and spring, shared equally
  /// among its corners. `frame` holds the positions of all vertices, three numbers each.
  std::vector<double> energies(std::span<const float> frame) const;

  /// That divided by the volume at each vertex (its share of the elements around), J/m3.
  std::vector<double> densities(std::span<const float> frame) const;

 private:
  struct Parts;
  explicit EnergyDensity(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace pliant

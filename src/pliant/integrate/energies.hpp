#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pliant/potential/potential.hpp"

namespace pliant {

/// Energies of a state, J: the kinetic one, and a ledger of what terms and contacts hold, each under the name
/// that it books its energy by. The usual names are always there and come first, then others in the order
/// in which they were first booked.
struct Energies {
  struct Entry {
    std::string name;
    double energy = 0;

    bool operator==(const Entry&) const = default;
  };
  static constexpr size_t kUsual = 4;

  double kinetic = 0;
  std::vector<Entry> potentials = {
      {kElasticEnergy}, {kGravitationalEnergy}, {kAttachmentEnergy}, {kContactEnergy}};

  void add(std::string_view name, double energy);
  void add(const Energies& more);
  /// 0 where nothing was booked by that name.
  double of(std::string_view name) const;
  double potential() const;
  double total() const { return kinetic + potential(); }
};

}  // namespace pliant
